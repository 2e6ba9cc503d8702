@echo off
setlocal
rem Finds a JDK 25 and runs the jar next to this file.
set "root=%~dp0"
set "jdk="
if defined WISHDIR_JAVA_HOME call :try "%WISHDIR_JAVA_HOME%"
if defined WISHDIR_JAVA_HOME if not defined jdk echo wishdir: WISHDIR_JAVA_HOME=%WISHDIR_JAVA_HOME% is not the folder of a JDK 25 or newer: looking elsewhere 1>&2
if not defined jdk if defined JAVA_HOME call :try "%JAVA_HOME%"
if not defined jdk for /f "delims=" %%j in ('where java 2^>nul') do if not defined jdk call :try "%%~dpj.."
if not defined jdk for /d %%j in ("%ProgramFiles%\Eclipse Adoptium\jdk-*" "%ProgramFiles%\Java\jdk-*" "%ProgramFiles%\Microsoft\jdk-*") do if not defined jdk call :try "%%~j"
if not defined jdk (
  echo wishdir: no JDK 25 or newer found: install one, or set WISHDIR_JAVA_HOME 1>&2
  exit /b 1
)
rem See the comments in the launcher for other systems.
set "compiler=-XX:InlineSmallCode=1000 -XX:FreqInlineSize=150 -XX:Tier4InvocationThreshold=2000 -XX:Tier4MinInvocationThreshold=300 -XX:Tier4CompileThreshold=6000"
if not defined WISHDIR_HEAP set "WISHDIR_HEAP=512m"
set WISHDIR_HEAP | findstr /i /r /c:"^WISHDIR_HEAP=[0-9][0-9]*[kmg]*$" >nul || (
  echo wishdir: WISHDIR_HEAP=%WISHDIR_HEAP% is not a size for Java: use a number with m or g, such as 512m 1>&2
  exit /b 1
)
set "collector=-XX:+UseSerialGC"
(set JAVA_TOOL_OPTIONS & set JDK_JAVA_OPTIONS & set _JAVA_OPTIONS) 2>nul | findstr /r /c:"-XX:+Use[A-Za-z0-9]*GC" >nul && set "collector="
set "memory="
if "%~1"=="serve" set "memory=-XX:+ExitOnOutOfMemoryError -XX:+DisplayVMOutputToStderr"
if "%~1"=="demo" set "memory=-XX:+ExitOnOutOfMemoryError -XX:+DisplayVMOutputToStderr"
"%jdk%\bin\java.exe" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow %collector% -Xmx%WISHDIR_HEAP% %compiler% %memory% -Dio.netty.leakDetection.level=disabled -jar "%root%wishdir.jar" %*
exit /b %errorlevel%

:try
if not exist "%~1\bin\java.exe" exit /b
if not exist "%~1\release" exit /b
for /f "tokens=2 delims==." %%v in ('findstr /b "JAVA_VERSION=" "%~1\release"') do set "found=%%~v"
set "found=%found:"=%"
if %found% geq 25 set "jdk=%~1"
exit /b
