# Builds the viewer with npm in a copy, and puts the one HTML file it makes to OUTPUT. Where npm fails OUTPUT is empty:
# the program is built without the page and says so. Deleting OUTPUT makes the next build try again.
# Usage: cmake -DNPM=<npm> -DSOURCE=<viewer> -DWORK=<folder> -DOUTPUT=<html> -P build_page.cmake

set(ENV{npm_config_update_notifier} false)
set(ENV{npm_config_fund} false)
set(ENV{npm_config_audit} false)
set(ENV{npm_config_fetch_retries} 1)

function(give_up reason log)
  file(WRITE "${OUTPUT}" "")
  message(WARNING "The page of reports could not be built: ${reason}. The program does without it; "
    "delete ${OUTPUT} to try again.\n${log}")
endfunction()

# What is built, without what is not.
file(REMOVE_RECURSE "${WORK}/src" "${WORK}/dist" "${WORK}/tests")
file(MAKE_DIRECTORY "${WORK}")
file(GLOB files "${SOURCE}/*.json" "${SOURCE}/*.ts" "${SOURCE}/*.html" "${SOURCE}/.npmrc")
file(COPY ${files} "${SOURCE}/src" DESTINATION "${WORK}" NO_SOURCE_PERMISSIONS)
if(EXISTS "${SOURCE}/public")
  file(COPY "${SOURCE}/public" DESTINATION "${WORK}" NO_SOURCE_PERMISSIONS)
endif()

# Packages are fetched once for each lock file.
file(SHA256 "${WORK}/package-lock.json" lock)
set(stamp "${WORK}/installed-${lock}")
if(NOT EXISTS "${stamp}")
  execute_process(COMMAND "${NPM}" ci --no-audit --no-fund WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(failed)
    give_up("`npm ci` failed" "${log}")
    return()
  endif()
  file(TOUCH "${stamp}")
endif()

execute_process(COMMAND "${NPM}" run build WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(failed OR NOT EXISTS "${WORK}/dist/index.html")
  give_up("`npm run build` failed" "${log}")
  return()
endif()
file(COPY_FILE "${WORK}/dist/index.html" "${OUTPUT}")
file(TOUCH "${OUTPUT}")
