#include "tuner/objective.h"
