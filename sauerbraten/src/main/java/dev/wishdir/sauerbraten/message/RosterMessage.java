package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.named;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Wire;

/** The players: names, models, teams, spectators. */
public sealed interface RosterMessage extends SauerbratenMessage {
    /** {@code N_INITCLIENT}: a player has joined, or changed its name, team or model. */
    record InitClient(int cn, String name, String team, int model) implements RosterMessage {
        public static final InitClient BLANK = new InitClient(0, "", "", 0);

        public static InitClient wire(Wire w, InitClient m) {
            int cn = integer(w, "cn", m.cn);
            String name = string(w, "name", m.name);
            String team = string(w, "team", m.team);
            int model = integer(w, "model", m.model);
            return new InitClient(cn, name, team, model);
        }
    }

    /** {@code N_CDIS}: a client left. */
    record CDis(int cn) implements RosterMessage {
        public static final CDis BLANK = new CDis(0);

        public static CDis wire(Wire w, CDis m) {
            return new CDis(integer(w, "cn", m.cn));
        }
    }

    /** {@code N_SWITCHNAME}: the sender changes its name; relayed. */
    record SwitchName(String name) implements RosterMessage {
        public static final SwitchName BLANK = new SwitchName("");

        public static SwitchName wire(Wire w, SwitchName m) {
            return new SwitchName(string(w, "name", m.name));
        }
    }

    /** {@code N_SWITCHMODEL}: the sender changes its model; relayed. */
    record SwitchModel(int model) implements RosterMessage {
        public static final SwitchModel BLANK = new SwitchModel(0);

        public static SwitchModel wire(Wire w, SwitchModel m) {
            return new SwitchModel(integer(w, "model", m.model));
        }
    }

    /** {@code N_SWITCHTEAM}: the client requests another team; the answer is {@link SetTeam}. */
    record SwitchTeam(String team) implements RosterMessage {
        public static final SwitchTeam BLANK = new SwitchTeam("");

        public static SwitchTeam wire(Wire w, SwitchTeam m) {
            return new SwitchTeam(string(w, "team", m.team));
        }
    }

    /** {@code N_SETTEAM} from a client: put a player into a team. */
    record ClientSetTeam(int cn, String team) implements RosterMessage {
        public static final ClientSetTeam BLANK = new ClientSetTeam(0, "");

        public static ClientSetTeam wire(Wire w, ClientSetTeam m) {
            int cn = integer(w, "cn", m.cn);
            String team = string(w, "team", m.team);
            return new ClientSetTeam(cn, team);
        }
    }

    /**
     * {@code N_SETTEAM}: a player is in a team.
     *
     * @param reason -1 none given, 0 the player switched, 1 it was forced
     */
    record SetTeam(int cn, String team, int reason) implements RosterMessage {
        public static final SetTeam BLANK = new SetTeam(0, "", 0);

        public static SetTeam wire(Wire w, SetTeam m) {
            int cn = integer(w, "cn", m.cn);
            String team = string(w, "team", m.team);
            int reason = named(w, "reason", m.reason, -1, ProtocolNames.TEAM_REASONS);
            return new SetTeam(cn, team, reason);
        }
    }

    /** {@code N_SPECTATOR}: make a client a spectator or a player; the server sends it to all. */
    record Spectator(int cn, boolean val) implements RosterMessage {
        public static final Spectator BLANK = new Spectator(0, false);

        public static Spectator wire(Wire w, Spectator m) {
            int cn = integer(w, "cn", m.cn);
            boolean val = bool(w, "val", m.val);
            return new Spectator(cn, val);
        }
    }
}
