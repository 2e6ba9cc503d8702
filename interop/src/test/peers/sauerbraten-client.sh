#!/bin/bash
# Start a real, unmodified Cube 2 client (protocol 260) without a screen, connect, walk, quit.
# usage: sauerbraten-client.sh HOST PORT WORKDIR [SECONDS]
# environment:
#   NAME=alice   DISPLAY_NUM=11..19   SIZE=320x240   PASSWORD=...   MAPFILE=/path/x.ogz (copied to the client's packages/base)
#   SHOTS=dir    one screenshot per step (start.png, walk.png, scores.png, picture.png, end.png)
#   ACTIONS      space-separated list run in order after joining (default "walk turn jump chat walk"):
#                walk back left right jump turn lookdown shoot respawn chat say taunt spec unspec edit goto suicide master kick
#                wait picture hear roam board reclaim stay
#   TYPED=line   what is typed in the menu of a game without settings of its own, instead of a connect by command line
#   SAY=text     what the action "say" says
#   HEAR=text    what the action "hear" waits for that the client prints
#   The action "roam" walks until there is a file WORKDIR/walked; "board" takes pictures scores.png until there is WORKDIR/read;
#   "stay" waits until there is WORKDIR/done; "reclaim" gives the privilege back that a key gave, and claims it by the key again.
#   READY=text   begin once the client has printed this (default "game mode is")
#   GOTO=name    the player whom the action "goto" jumps to, in edit mode, and whom "kick" kicks, for REASON
#   ADMINPASS    with which the action "master" takes master (default "admin")
# exit 0: joined and left cleanly.  2: never joined.  3: client ended early.   Log: WORKDIR/client.out
set -u
HOST=$1; PORT=$2; W=$3; SECS=${4:-10}
NAME=${NAME:-robot}; D=:${DISPLAY_NUM:-11}; SIZE=${SIZE:-320x240}; ACTIONS=${ACTIONS:-walk turn jump chat walk}
mkdir -p "$W/packages/base"; unset CDPATH; W=$(cd "$W" && pwd)
[ -n "${MAPFILE:-}" ] && cp "$MAPFILE" "$W/packages/base/"
# the data package has a key table for an older input library: bind letters, never function or arrow keys
[ -n "${TYPED:-}" ] || cat > "$W/autoexec.cfg" <<CFG
name "$NAME"
// a picture that costs a software renderer little
maxfps 20
vsync 0
waterreflect 0
waterrefract 0
waterenvmap 0
grass 0
glare 0
shadowmap 0
maxdynlights 0
bumpmodels 0
glowmodels 0
envmapmodels 0
fov $([ -n "${SHOTS:-}" ] && echo 100 || echo 10)
texreduce 5
maxtexsize 64
sensitivity 10
showmodeinfo 0
bind F [fov 100; echo "view wide"]
bind R [fov 10; echo "view narrow"]
bind Z [say "hello from $NAME"]
bind L [say "${SAY:-}"]
bind C [taunt]
bind V [suicide]
bind B [spectator 1]
bind M [spectator 0]
bind E [edittoggle]
bind G [goto "${GOTO:-}"]
editbind G [goto "${GOTO:-}"]
bind J [setmaster "${ADMINPASS:-admin}"]
editbind J [setmaster "${ADMINPASS:-admin}"]
bind K [kick "${GOTO:-}" "${REASON:-}"]
editbind K [kick "${GOTO:-}" "${REASON:-}"]
bind U [setmaster 0]
bind I [sauth]
bind X [echo "own frags" (getfrags) "own deaths" (getdeaths)]
bind N [disconnect]
specbind M [spectator 0]
specbind N [disconnect]
editbind E [edittoggle]
editbind N [disconnect]
CFG
XPID=""
if ! DISPLAY=$D xdotool getdisplaygeometry >/dev/null 2>&1; then
  Xvfb "$D" -r -screen 0 "${SIZE}x24" -nolisten tcp >/dev/null 2>&1 & XPID=$!
  for i in $(seq 1 600); do DISPLAY=$D xdotool getdisplaygeometry >/dev/null 2>&1 && break; sleep 0.1; done
fi
CPID=""
cleanup() { [ -n "$CPID" ] && kill "$CPID" 2>/dev/null; [ -n "$XPID" ] && kill "$XPID" 2>/dev/null; }
trap cleanup EXIT
START=()
[ -n "${TYPED:-}" ] || START=("-xconnect $HOST $PORT ${PASSWORD:-}")
cd /usr/lib/cube2
HOME=$W DISPLAY=$D LIBGL_ALWAYS_SOFTWARE=1 LP_NUM_THREADS=1 SDL_AUDIODRIVER=dummy ./cube2_client -q"$W/" -k/usr/share/games/cube2 \
   "-w${SIZE%x*}" "-h${SIZE#*x}" -t0 -b0 -s0 "${START[@]}" > "$W/client.out" 2>&1 &
CPID=$!
if [ -n "${TYPED:-}" ]; then
  for i in $(seq 1 600); do grep -q '^init: mainloop' "$W/client.out" && break; sleep 0.1; done
  # its first character opens the prompt; a busy client loses keys, or connects elsewhere, and is typed to again
  for try in $(seq 1 10); do
    sleep 2; DISPLAY=$D xdotool type "${TYPED:0:1}"; sleep 1; DISPLAY=$D xdotool type --delay 60 "${TYPED:1}"; DISPLAY=$D xdotool key Return
    for i in $(seq 1 50); do grep -qFx "attempting to connect to $HOST:$PORT" "$W/client.out" && break 2; sleep 0.1; done
    DISPLAY=$D xdotool key Escape
  done
fi
joined=0
for i in $(seq 1 1000); do
  if grep -q "${READY:-game mode is}" "$W/client.out" 2>/dev/null; then joined=1; break; fi
  kill -0 $CPID 2>/dev/null || { echo "client ended before joining" >&2; exit 3; }
  sleep 0.1
done
[ $joined = 1 ] || { echo "not joined in 100 s" >&2; tail -8 "$W/client.out" >&2; exit 2; }
echo "joined after ${i}00 ms of polling"
export DISPLAY=$D
shot() { [ -n "${SHOTS:-}" ] && { mkdir -p "$SHOTS"; import -window root "$SHOTS/part.png" && mv "$SHOTS/part.png" "$SHOTS/$1.png"; }; }
hold() { xdotool keydown "$1"; sleep "$2"; xdotool keyup "$1"; }
sleep 0.7; shot start
n=$(echo $ACTIONS | wc -w); per=$(awk "BEGIN{p=$SECS/$n; if(p<0.3)p=0.3; print p}")
for a in $ACTIONS; do
  kill -0 $CPID 2>/dev/null || exit 3
  case $a in
    walk) hold w "$per"; shot walk ;;  back) hold s "$per" ;;  left) hold a "$per" ;;  right) hold d "$per" ;;
    jump) xdotool key space; sleep "$per" ;;
    turn) for k in 1 2 3 4 5 6 7 8 9 10; do xdotool mousemove_relative -- 20 0; sleep 0.04; done ;;
    lookdown) xdotool mousemove_relative -- 0 30; sleep 0.2 ;;
    shoot|respawn) xdotool mousedown 1; sleep 0.06; xdotool mouseup 1; sleep "$per" ;;
    chat) xdotool key z; sleep 0.3 ;;  say) xdotool key l; sleep 0.3 ;;  taunt) xdotool key c; sleep 0.3 ;;  suicide) xdotool key v; sleep 1 ;;
    spec) xdotool key b; sleep 0.6 ;;  unspec) xdotool key m; sleep 0.6 ;;  edit) xdotool key e; sleep 0.4 ;;  goto) xdotool key g; sleep 0.6 ;;
    master) xdotool key j; for i in $(seq 1 1000); do grep -qF claimed "$W/client.out" && break; sleep 0.1; done ;;
    kick) xdotool key k; sleep 0.6 ;;
    reclaim)
      xdotool key u; for i in $(seq 1 1000); do grep -qF relinquished "$W/client.out" && break; sleep 0.1; done
      xdotool key i; for i in $(seq 1 1000); do sed '1,/relinquished/d' "$W/client.out" | grep -qF claimed && break; sleep 0.1; done ;;
    roam) for i in $(seq 1 100); do [ -e "$W/walked" ] && break; hold w "$per"; done ;;
    board) xdotool keydown Tab; for i in $(seq 1 200); do sleep 0.5; shot scores; [ -e "$W/read" ] && break; done; xdotool keyup Tab ;;
    stay) for i in $(seq 1 1000); do [ -e "$W/done" ] && break; sleep 0.1; done ;;
    wait) sleep "$per" ;;  picture) shot picture ;;
    hear) for i in $(seq 1 1000); do grep -qF "$HEAR" "$W/client.out" && break; sleep 0.1; done ;;
  esac
done
shot end
xdotool key n; sleep 0.8      # /disconnect, so the server sees a clean leave
kill "$CPID" 2>/dev/null; wait "$CPID" 2>/dev/null; CPID=""
grep -E "^(attempting to disconnect|disconnected)" "$W/client.out" | tail -1
exit 0
