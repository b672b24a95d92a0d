# Writes OUTPUT, the definition of page_assets() (selfplay/page_assets.h), from the files ASSETS (joined
# by "|"): name, bytes, and the SHA-256 in base64 by which the page's content security policy allows
# a script. Run by cmake -P.

# Base64 of 32 bytes given as 64 hex digits: ten groups of three bytes, and two bytes left over.
function(base64_of_hash hex result)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  string(APPEND hex "00") # fills the last group; its last digit becomes the padding
  foreach(start RANGE 0 60 6)
    string(SUBSTRING ${hex} ${start} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${digit} 1 letter)
      string(APPEND text ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${text} 0 43 text)
  set(${result} "${text}=" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" ASSETS "${ASSETS}")
set(arrays "")
set(rows "")
set(index 0)
foreach(asset ${ASSETS})
  get_filename_component(name ${asset} NAME)
  file(READ ${asset} bytes HEX)
  file(SHA256 ${asset} hash)
  base64_of_hash(${hash} base64)
  if(name MATCHES "\\.js$")
    file(READ ${asset} script)
    string(TOLOWER "${script}" script)
    if(script MATCHES "</script|<!--")
      message(FATAL_ERROR "${asset} holds </script or <!--, which would end the script in the page")
    endif()
  endif()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kBytes${index}[] = {\n${bytes}};\n")
  string(APPEND rows "    {\"${name}\", text_of(kBytes${index}), \"${base64}\"},\n")
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE ${OUTPUT}
"// Made by selfplay/report/embed.cmake; not for editing.
#include \"selfplay/page_assets.h\"

#include <cstddef>

namespace cannonade {
namespace {

template <std::size_t N>
std::string_view text_of(const unsigned char (&bytes)[N]) {
  return {reinterpret_cast<const char*>(bytes), N};
}

${arrays}
}  // namespace

const std::vector<PageAsset>& page_assets() {
  static const std::vector<PageAsset> assets{
${rows}  };
  return assets;
}

}  // namespace cannonade
")
