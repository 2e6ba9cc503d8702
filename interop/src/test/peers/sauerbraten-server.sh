#!/bin/bash
# Start a real Cube 2 (Sauerbraten, protocol 260) server on loopback.
# usage: sauerbraten-server.sh PORT WORKDIR [MAP] [MODE]
#   PORT     UDP game port; PORT+1 answers server-info queries
#   MAP/MODE first map of the rotation, e.g. "boxarena" "ffa". Without them: coop edit on an empty map.
# Extra settings: put lines into $EXTRA_CFG (environment), e.g. EXTRA_CFG='serverpass "x"'.
# Runs in the foreground; stop it with SIGTERM to this process. Ready when WORKDIR/server.out says "dedicated server started".
set -eu
PORT=$1; W=$2; MAP=${3:-}; MODE=${4:-ffa}
BIN=/usr/lib/cube2/cube2_server
mkdir -p "$W/packages/base"; unset CDPATH; W=$(cd "$W" && pwd)
{
  echo 'serverip 127.0.0.1'
  echo "serverport $PORT"
  echo 'updatemaster 0'
  echo 'publicserver 0'
  echo "maxclients ${MAXCLIENTS:-32}"
  echo "serverdesc \"${DESC:-test server}\""
  echo "adminpass \"${ADMINPASS:-admin}\""
  [ -n "$MAP" ] && echo "maprotation \"$MODE\" \"$MAP\""
  [ -n "${EXTRA_CFG:-}" ] && echo "$EXTRA_CFG"
} > "$W/server-init.cfg" || true
cd /usr/lib/cube2
exec "$BIN" -q"$W" > "$W/server.out" 2>&1
