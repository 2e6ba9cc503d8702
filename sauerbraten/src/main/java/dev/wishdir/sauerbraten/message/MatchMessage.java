package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.measured;
import static dev.wishdir.sauerbraten.message.CubeWire.named;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;

/** Map, mode and time of the match. */
public sealed interface MatchMessage extends SauerbratenMessage {
    /** Maximum number of teams in a list. */
    int MAX_TEAMS = 256;

    /**
     * {@code N_MAPCHANGE}: another map.
     *
     * @param needitems whether the client must send the items of the map
     */
    record MapChange(String map, int mode, boolean needitems) implements MatchMessage {
        public static final MapChange BLANK = new MapChange("", 0, false);

        public static MapChange wire(Wire w, MapChange m) {
            String map = string(w, "map", m.map);
            int mode = named(w, "mode", m.mode, ProtocolNames.FIRST_MODE, ProtocolNames.MODES);
            boolean needitems = bool(w, "needitems", m.needitems);
            return new MapChange(map, mode, needitems);
        }
    }

    /** {@code N_MAPVOTE}: the client votes for a map. */
    record MapVote(String map, int mode) implements MatchMessage {
        public static final MapVote BLANK = new MapVote("", 0);

        public static MapVote wire(Wire w, MapVote m) {
            String map = string(w, "map", m.map);
            int mode = named(w, "mode", m.mode, ProtocolNames.FIRST_MODE, ProtocolNames.MODES);
            return new MapVote(map, mode);
        }
    }

    /** {@code N_TEAMINFO}: the scores of all teams. */
    record TeamInfo(List<TeamScore> teams) implements MatchMessage {
        public static final TeamInfo BLANK = new TeamInfo(List.of());

        public static TeamInfo wire(Wire w, TeamInfo m) {
            return new TeamInfo(TeamScore.untilUnnamed(w, m.teams));
        }

        public TeamInfo {
            teams = List.copyOf(teams);
        }
    }

    /** {@code N_TIMEUP}: the time left; 0 starts the intermission. */
    record TimeUp(int secs) implements MatchMessage {
        public static final TimeUp BLANK = new TimeUp(0);

        public static TimeUp wire(Wire w, TimeUp m) {
            return new TimeUp(measured(w, "secs", m.secs, "s"));
        }
    }

    /** {@code N_FORCEINTERMISSION}: a local client ends the match. */
    record ForceIntermission() implements MatchMessage {
        public static final ForceIntermission BLANK = new ForceIntermission();

        public static ForceIntermission wire(Wire w, ForceIntermission m) {
            return BLANK;
        }
    }

    /** {@code N_MAPCRC}: the CRC-32 of the client's uncompressed map file. */
    record MapCrc(String map, int crc) implements MatchMessage {
        public static final MapCrc BLANK = new MapCrc("", 0);

        public static MapCrc wire(Wire w, MapCrc m) {
            String map = string(w, "map", m.map);
            int crc = integer(w, "crc", m.crc);
            return new MapCrc(map, crc);
        }
    }

    /** {@code N_CHECKMAPS}: the client asks which players have a modified map. */
    record CheckMaps() implements MatchMessage {
        public static final CheckMaps BLANK = new CheckMaps();

        public static CheckMaps wire(Wire w, CheckMaps m) {
            return BLANK;
        }
    }

    /** The score of a team with a name. */
    record TeamScore(String team, int frags) implements Fields.Tuple {
        private static final TeamScore BLANK = new TeamScore("", 0);

        private static List<TeamScore> untilUnnamed(Wire w, List<TeamScore> teams) {
            List<TeamScore> result = new ArrayList<>();
            while (true) {
                int i = w.bounded("teams", result.size(), MAX_TEAMS);
                TeamScore m = Wire.item(teams, i, BLANK);
                w.pushScope("teams.", i);
                String team = string(w, "team", m.team);
                if (team.isEmpty()) {
                    if (w.tracing()) {
                        w.annotate("end of the list");
                    }
                    w.popScope();
                    return List.copyOf(result);
                }
                result.add(new TeamScore(team, integer(w, "frags", m.frags)));
                w.popScope();
            }
        }
    }
}
