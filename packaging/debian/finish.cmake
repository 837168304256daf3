# What Debian's policy asks of a package beyond the installed tree, put where cpack collects it: licences in the common
# form, a changelog, man pages compressed, reasons for what lintian says. Read by cpack (CPACK_PRE_BUILD_SCRIPTS).
set(tree "${CPACK_TEMPORARY_DIRECTORY}/usr/share")
set(doc "${tree}/doc/${CPACK_PACKAGE_NAME}")
set(here "${CPACK_MCT_SOURCE_DIR}/packaging/debian")

file(COPY_FILE "${here}/copyright" "${doc}/copyright")
file(MAKE_DIRECTORY "${tree}/lintian/overrides")
file(COPY_FILE "${here}/lintian-overrides" "${tree}/lintian/overrides/${CPACK_PACKAGE_NAME}")

file(COPY_FILE "${CPACK_MCT_SOURCE_DIR}/CHANGELOG.md" "${doc}/changelog")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH where that is set
file(WRITE "${doc}/changelog.Debian"
"${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Built by cpack from the sources; what has changed in them says changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages "${tree}/man/man1/*.1")
# -n: no time in the file, so that the same tree gives the same package
execute_process(COMMAND gzip -9nf "${doc}/changelog" "${doc}/changelog.Debian" ${pages} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE files "${tree}/doc/*" "${tree}/man/*" "${tree}/lintian/*")
file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
