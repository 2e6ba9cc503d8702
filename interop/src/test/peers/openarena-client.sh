#!/bin/bash
# Start a real, unmodified OpenArena client without a screen, connect, play by a list of actions, leave.
# usage: openarena-client.sh HOST:PORT WORKDIR CLIENT_PORT
# environment:
#   NAME=alice   DISPLAY_NUM=31..39   SIZE=320x240
#   PROTOCOL=71 LEGACY=71   71/71 speaks OpenArena's packets, 71/0 the modern ones
#   BASEPATH     another folder with the game's own files   DOWNLOAD=0 asks no server for files
#   TYPED        lines that are typed in the console of a game without settings of its own, instead of a connect by command line
#   RENDERER     of a game without settings; empty for the game's own default, with its sky (default opengl1, without)
#   ACTIONS      what to do once it plays: lines of "SECONDS CONSOLE COMMANDS", done before the seconds pass, or of "hear TEXT":
#                until the client has printed the text, 100 s at most
# exit 0: joined and left cleanly.  2: never joined.  3: client ended early.   Log: WORKDIR/client.out
set -u
TARGET=$1; W=$2; PORT=$3
NAME=${NAME:-robot}; D=:${DISPLAY_NUM:-31}; SIZE=${SIZE:-320x240}
mkdir -p "$W/baseoa"; unset CDPATH; W=$(cd "$W" && pwd)
[ -n "${TYPED:-}" ] || cat > "$W/baseoa/autoexec.cfg" <<CFG
set name "$NAME"
set r_mode -1
set r_customwidth ${SIZE%x*}
set r_customheight ${SIZE#*x}
set r_fullscreen 0
set r_picmip 6
set r_vertexlight 1
set r_fastsky 1
set r_dynamiclight 0
set cg_shadows 0
set r_ext_texture_filter_anisotropic 0
set r_textureMode GL_NEAREST
set r_lodbias 2
set r_subdivisions 999
set cg_marks 0
set com_maxfps 30
set in_mouse 0
set com_introplayed 1
set snaps 20
set rate 25000
set cl_maxpackets 60
set cl_allowDownload ${DOWNLOAD:-1}
set model sarge
set cg_showmiss 1
set activeAction "echo CLIENT_ACTIVE"
CFG
XPID=""
# a display that was killed leaves its socket
if ! DISPLAY=$D xdotool getdisplaygeometry >/dev/null 2>&1; then
  Xvfb "$D" -r -screen 0 "${SIZE}x24" -nolisten tcp >/dev/null 2>&1 & XPID=$!
  for i in $(seq 1 600); do DISPLAY=$D xdotool getdisplaygeometry >/dev/null 2>&1 && break; sleep 0.1; done
fi
rm -f "$W/in"; mkfifo "$W/in"; exec 3<>"$W/in"
CPID=""
cleanup() { [ -n "$CPID" ] && kill "$CPID" 2>/dev/null; [ -n "$XPID" ] && kill "$XPID" 2>/dev/null; }
trap cleanup EXIT
START=(+connect "$TARGET")
[ -z "${TYPED:-}" ] || START=(+set r_mode -1 +set r_customwidth "${SIZE%x*}" +set r_customheight "${SIZE#*x}" +set r_fullscreen 0
  +set r_picmip 6 +set activeAction "echo CLIENT_ACTIVE")
[ -z "${RENDERER-opengl1}" ] || START=(+set cl_renderer "${RENDERER-opengl1}" +set r_fastsky 1 "${START[@]}")
DISPLAY=$D LIBGL_ALWAYS_SOFTWARE=1 LP_NUM_THREADS=1 /usr/games/openarena \
  +set com_protocol "${PROTOCOL:-71}" +set com_legacyprotocol "${LEGACY:-71}" +set fs_homepath "$W" \
  ${BASEPATH:++set fs_basepath "$BASEPATH"} \
  +set net_port "$PORT" +set net_qport "$PORT" +set s_initsound 0 \
  +set vm_cgame 0 +set vm_ui 0 +set ttycon 0 "${START[@]}" <"$W/in" >"$W/client.out" 2>&1 3>&- &
CPID=$!
if [ -n "${TYPED:-}" ]; then
  for i in $(seq 1 600); do grep -aq 'bots parsed' "$W/client.out" && break; sleep 0.1; done
  sleep 2; DISPLAY=$D xdotool key shift+Escape; sleep 1   # the console slides down
  while read -r line; do
    DISPLAY=$D xdotool type --delay 60 "$line"; DISPLAY=$D xdotool key Return; sleep 0.5
  done <<< "$TYPED"
fi
for i in $(seq 1 1000); do
  grep -aq '^CLIENT_ACTIVE' "$W/client.out" && break
  kill -0 $CPID 2>/dev/null || { tail -5 "$W/client.out" >&2; exit 3; }
  sleep 0.1
done
grep -aq '^CLIENT_ACTIVE' "$W/client.out" || { grep -av '^GL_EXT' "$W/client.out" | tail -8 >&2; exit 2; }
echo "joined"
while read -r seconds command; do
  [ -n "$seconds" ] || continue
  kill -0 $CPID 2>/dev/null || exit 3
  if [ "$seconds" = hear ]; then
    for i in $(seq 1 1000); do grep -aqF "$command" "$W/client.out" && break; sleep 0.1; done
  else
    echo "$command" >&3; sleep "$seconds"
  fi
done <<< "${ACTIONS:-}"
echo disconnect >&3; sleep 0.5; echo quit >&3
for i in $(seq 1 30); do kill -0 $CPID 2>/dev/null || break; sleep 0.1; done
grep -aE 'Server disconnected|timed out|^ERROR|game mismatch' "$W/client.out" >&2 && exit 3
exit 0
