package dev.wishdir.quake3.server.join;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.view.PlayerConfigstrings;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.quake3.server.view.TeamNumber;

import java.net.InetSocketAddress;
import java.util.List;

/** Answers the server queries {@code getinfo} and {@code getstatus}. */
public final class ServerQueries {
    private static final int MAX_TOKEN_CHARS = 128;
    private static final int MAX_STATUS_CHARS = 1_300;

    private final EndpointContext context;
    private final Arena arena;
    private final String serverName;
    private final OutOfBandSender sender;
    private final ClientTable clients;
    private final RunningLevel running;

    public ServerQueries(
            EndpointContext context,
            OutOfBandSender sender,
            ClientTable clients,
            RunningLevel running) {
        this.context = context;
        arena = context.arena();
        serverName = Quake3Text.serverName(context.name());
        this.sender = sender;
        this.clients = clients;
        this.running = running;
    }

    public void getInfo(long now, InetSocketAddress from, List<String> words) {
        if (isBounded(words)) {
            sender.reply(now, from, "infoResponse\n" + info(words));
        }
    }

    public void getStatus(long now, InetSocketAddress from, List<String> words) {
        if (isBounded(words)) {
            sender.reply(now, from, "statusResponse\n" + status(words));
        }
    }

    private static boolean isBounded(List<String> words) {
        return words.size() < 2 || words.get(1).length() <= MAX_TOKEN_CHARS;
    }

    private static InfoString token(List<String> words) {
        InfoString info = new InfoString();
        if (words.size() > 1) {
            info.put("challenge", words.get(1));
        }
        // As the original, repeats no challenge that an info string can't hold.
        return words.size() > 1 && info.get("challenge").equals(words.get(1))
                ? info
                : new InfoString();
    }

    /** As the original, the challenge comes last here, and first in {@link #status}. */
    private String info(List<String> words) {
        return new InfoString()
                        .put("gamename", Protocol.GAME_NAME)
                        .put("protocol", Protocol.IOQUAKE3_71.number())
                        .put("hostname", serverName)
                        .put("mapname", running.level().name())
                        .put("clients", arena.playerCount())
                        .put("g_humanplayers", arena.playerCount())
                        .put("sv_maxclients", maxClients())
                        .put("gametype", TeamNumber.gameType(arena.match().rules().mode()))
                        .put("pure", running.purity().isRequired() ? 1 : 0)
                        .put("g_needpass", needsPassword())
                + token(words).toString();
    }

    private int needsPassword() {
        return context.password().isEmpty() ? 0 : 1;
    }

    /** Players of all games at which this endpoint is full. */
    private int maxClients() {
        return Math.min(
                context.capacity(Quake3Codec.GAME), arena.playerCount() + clients.freeSlots());
    }

    private String status(List<String> words) {
        StringBuilder text = new StringBuilder();
        text.append(token(words))
                .append(
                        running.serverinfo()
                                .put("sv_maxclients", maxClients())
                                .put("g_needpass", needsPassword()))
                .append('\n');
        for (Player player : arena.players()) {
            if (player.isGhost()) {
                continue;
            }
            String line =
                    arena.match().score(player.id()).frags()
                            + " "
                            + player.ping()
                            + " \""
                            + PlayerConfigstrings.name(player)
                            + "\"\n";
            if (text.length() + line.length() > MAX_STATUS_CHARS) {
                break;
            }
            text.append(line);
        }
        return text.toString();
    }
}
