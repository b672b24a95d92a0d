#include "selfplay/statistics.h"
