package dev.wishdir.quake3;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * What a client is told beside its snapshots, by reliable commands. What is so, the configstrings,
 * it is told as it is when its line is free; what happens, it misses while it is behind.
 */
final class News implements Viewer {
    /** A configstring of so many characters goes in parts. */
    private static final int PART = 1_000;

    private static final int LONGEST_CHAT = 150;

    private final Arena arena;
    private final Clients clients;
    private final Quake3Player client;

    /** The configstrings that have changed since the client was told of them. */
    private final BitSet untold = new BitSet();

    /** Who has come and has no slot yet: which one depends on its game, known once it is in. */
    private final List<Player> arrivals = new ArrayList<>();

    /** The level has begun again since the client was told so. */
    private boolean restarted;

    /** The own name as the client has been told it. */
    private String ownName = "";

    News(Arena arena, Clients clients, Quake3Player client) {
        this.arena = arena;
        this.clients = clients;
        this.client = client;
    }

    @Override
    public boolean isBehind() {
        ServerConnection c = client.connection;
        return c != null && c.isBehind();
    }

    @Override
    public void moved(List<Player> movers) {
        client.hasNews = true;
    }

    @Override
    public void told(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e -> {
                arrivals.add(e.player());
                print(Quake3Text.name(e.player().name()) + "^7 entered the game");
            }
            case ArenaEvent.Left e -> {
                client.stopFollowing(e.player());
                arrivals.remove(e.player());
                changed(client.visible.remove(e.player()));
                String how = e.why().equals(Departure.LEFT) ? "disconnected" : e.why().toString();
                print(Quake3Text.name(e.player().name()) + "^7 " + Quake3Text.line(how, 200));
            }
            case ArenaEvent.Despawned e -> client.stopFollowing(e.player());
            case ArenaEvent.Renamed e -> {
                changed(client.visible.slot(e.player()));
                print(Quake3Text.name(e.oldName()) + "^7 renamed to " + Quake3Text.name(e.name()));
            }
            case ArenaEvent.Restyled e -> changed(client.visible.slot(e.player()));
            case ArenaEvent.Said e -> said(e.player(), e.text());
            case ArenaEvent.Announced e -> print(Quake3Text.line(e.text(), 500));
            case ArenaEvent.Limited e -> print("You are " + e.deed().doing() + " too much.");
            case ArenaEvent.Missed e ->
                    print("You missed " + e.deeds() + " messages: your line was too busy.");
            case ArenaEvent.Dismissed e ->
                    clients.drop(e.time(), client, Departure.sentAway(e.reason()));
            // Snapshots show it, and a bit of the entity that it is somewhere else of a sudden.
            case ArenaEvent.Spawned _, ArenaEvent.Teleported _, ArenaEvent.Moved _ -> {}
            case ArenaEvent.Verdict _, ArenaEvent.Refused _ -> {}
        }
    }

    /** Tells something that can't wait, or the client has had its answer another time. */
    private void command(String text) {
        if (!isBehind()) {
            client.command(text);
        }
    }

    private void print(String line) {
        command("print \"" + line + "\n\"");
    }

    /** Somebody says something to all, or the client said it and hears its own words. */
    void said(Player other, String text) {
        String words = Quake3Text.line(text, LONGEST_CHAT, Quake3Text.SAID);
        if (!words.isBlank()) {
            command("chat \"" + Quake3Text.name(other.name()) + "^7\u0019: ^2" + words + "\"");
        }
    }

    /** Somebody says something to this client alone, or the client said it to another. */
    void told(Player other, String text) {
        String words = Quake3Text.line(text, LONGEST_CHAT, Quake3Text.TO_ONE);
        command(
                "chat \"\u0019["
                        + Quake3Text.name(other.name())
                        + "^7\u0019]\u0019: ^6"
                        + words
                        + "\"");
    }

    /** A player of the same team says something to its team. */
    void saidToTeam(Player other, String text) {
        if (isBehind()) {
            Player own = client.player;
            if (own != null) {
                arena.missed(own);
            }
            return;
        }
        String words = Quake3Text.line(text, LONGEST_CHAT, Quake3Text.TO_TEAM);
        client.command(
                "tchat \"\u0019("
                        + Quake3Text.name(other.name())
                        + "^7\u0019)\u0019: ^5"
                        + words
                        + "\"");
    }

    /** The level has begun again for all who keep what they have loaded. */
    void restart() {
        restarted = true;
        untold.set(Configstrings.SYSTEMINFO);
        untold.set(Configstrings.LEVEL_START_TIME);
    }

    /** Something of the player in a slot has changed; none where the slot is below 0. */
    void changed(int slot) {
        if (slot >= 0) {
            untold.set(Configstrings.PLAYERS + slot);
        }
    }

    /**
     * A gamestate tells all that it holds.
     *
     * @param told the configstrings that it has
     */
    void gamestate(Set<Integer> told) {
        Player own = client.player;
        ownName = own == null ? "" : own.name();
        restarted = false;
        untold.clear();
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            if (client.visible.at(slot) != null && !told.contains(Configstrings.PLAYERS + slot)) {
                changed(slot);
            }
        }
    }

    /** Gives a slot to those who have come, as far as there are slots. */
    void settle() {
        arrivals.forEach(this::see);
        arrivals.clear();
    }

    /** Gives a player a slot and tells its name. */
    void see(Player other) {
        Quake3Player same = clients.of(other);
        changed(client.visible.add(other, same == null ? -1 : same.clientNum));
    }

    /** Tells what is not as the client has been told it, as far as it can hear it. */
    void tell(RunningLevel running) {
        if (!client.hasGamestate()) {
            return;
        }
        settle();
        Player own = client.player;
        if (own != null && !own.name().equals(ownName)) {
            ownName = own.name();
            changed(client.clientNum);
        }
        for (int index = untold.nextSetBit(0);
                index >= 0 && !isBehind();
                index = untold.nextSetBit(index + 1)) {
            untold.clear(index);
            configstring(index, value(index, running));
        }
        if (restarted && untold.isEmpty() && !isBehind()) {
            restarted = false;
            client.command("map_restart\n");
        }
    }

    private String value(int index, RunningLevel running) {
        return switch (index) {
            case Configstrings.SYSTEMINFO -> running.systeminfo().toString();
            case Configstrings.LEVEL_START_TIME -> Integer.toString(running.levelStart());
            default -> {
                int slot = index - Configstrings.PLAYERS;
                Player seen = slot == client.clientNum ? client.player : client.visible.at(slot);
                yield seen == null ? "" : info(seen, clients.of(seen), running.openArena());
            }
        };
    }

    private void configstring(int index, String text) {
        if (text.length() < PART) {
            client.command("cs " + index + " \"" + text + "\"\n");
            return;
        }
        for (int from = 0; from < text.length(); from += PART - 1) {
            int to = Math.min(from + PART - 1, text.length());
            String part = from == 0 ? "bcs0" : to < text.length() ? "bcs1" : "bcs2";
            client.command(part + " " + index + " \"" + text.substring(from, to) + "\"\n");
        }
    }

    /** What is told of a player in a slot: its configstring. */
    static String info(Player player, @Nullable Quake3Player same, boolean openArena) {
        if (same == null) {
            Look look = Look.of(player.game(), player.name(), openArena);
            return info(player, 0, look.model(), look.model(), look.colour(), look.colour());
        }
        InfoString userinfo = same.userinfo;
        return info(
                player,
                same.body.team,
                or(userinfo.get("model"), "sarge"),
                or(userinfo.get("headmodel"), "sarge"),
                or(userinfo.get("color1"), "4"),
                or(userinfo.get("color2"), "5"));
    }

    private static String info(
            Player player, int team, String model, String head, Object first, Object second) {
        return "n\\%s\\t\\%d\\model\\%s\\hmodel\\%s\\c1\\%s\\c2\\%s\\hc\\100\\w\\0\\l\\0\\tt\\0\\tl\\0"
                .formatted(Quake3Text.name(player.name()), team, model, head, first, second);
    }

    private static String or(String value, String otherwise) {
        return value.isEmpty() ? otherwise : Quake3Text.value(value, 40);
    }
}
