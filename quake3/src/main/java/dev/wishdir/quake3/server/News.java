package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.Viewer;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.protocol.ServerConnection;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
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

    /** The slots of whose holders the client has been told nothing. */
    private final BitSet strangers = new BitSet();

    /** Who has no slot: which one it gets depends on its game, known once it is in. */
    private final Set<PlayerId> arrivals = new LinkedHashSet<>();

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
    public int places() {
        return VisiblePlayers.SLOTS - 1;
    }

    /** News makes a snapshot due at once; of what comes soon after one, the next one tells. */
    @Override
    public long relayInterval() {
        return client.interval * 3 / 4;
    }

    @Override
    public void moved(List<Player> movers) {
        client.hasNews = true;
    }

    @Override
    public void told(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e -> {
                arrived(e.id());
                print(Quake3Text.name(e.player().name()) + "^7 entered the game");
            }
            case ArenaEvent.Left e -> {
                client.stopFollowing(e.player());
                arrivals.remove(e.id());
                clients.entities().forget(e.id());
                changed(client.visible.remove(e.id()));
                String how = e.why().equals(Departure.LEFT) ? "disconnected" : e.why().toString();
                print(Quake3Text.name(e.player().name()) + "^7 " + Quake3Text.line(how, 200));
            }
            case ArenaEvent.Despawned e -> client.stopFollowing(e.player());
            case ArenaEvent.Renamed e -> {
                changed(client.visible.slot(e.id()));
                print(Quake3Text.name(e.oldName()) + "^7 renamed to " + Quake3Text.name(e.name()));
            }
            case ArenaEvent.Restyled e -> changed(client.visible.slot(e.id()));
            case ArenaEvent.Said e -> said(e.player(), e.text());
            case ArenaEvent.Announced e -> print(Quake3Text.line(e.text(), 500));
            case ArenaEvent.Told e -> told(e.from(), e.text());
            case ArenaEvent.Limited e -> print("You are " + e.deed().doing() + " too much.");
            case ArenaEvent.Missed e ->
                    print("You missed " + e.deeds() + " messages: your line was too busy.");
            case ArenaEvent.Dismissed e ->
                    clients.drop(e.time(), client, Departure.sentAway(e.reason()));
            // Snapshots show it, and a bit of the entity that it is somewhere else of a sudden.
            case ArenaEvent.Spawned _, ArenaEvent.Teleported _, ArenaEvent.Moved _ -> {}
            case ArenaEvent.Verdict _, ArenaEvent.Refused _, ArenaEvent.LevelChanged _ -> {}
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
            if (client.id != null) {
                arena.missed(client.id);
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
        ownName = client.player().map(Player::name).orElse("");
        restarted = false;
        untold.clear();
        strangers.clear();
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            if (client.visible.at(slot) != null && !told.contains(Configstrings.PLAYERS + slot)) {
                changed(slot);
                strangers.set(slot);
            }
        }
    }

    /** Somebody is here. */
    void arrived(PlayerId other) {
        arrivals.add(other);
    }

    /**
     * Gives a slot to those who are shown and have none, from others if need be, then to the rest,
     * as far as there are slots.
     */
    void settle(long now, List<Player> shown) {
        if (arrivals.isEmpty()) {
            return;
        }
        for (int i = 0; i < shown.size(); i++) {
            PlayerId other = shown.get(i).id();
            if (arrivals.contains(other) && !see(now, other)) {
                int slot = client.visible.unseen(now);
                PlayerId unseen = slot < 0 ? null : client.visible.at(slot);
                if (unseen != null) {
                    client.visible.remove(unseen);
                    see(now, other);
                    arrivals.add(unseen);
                }
            }
        }
        Iterator<PlayerId> rest = arrivals.iterator();
        while (rest.hasNext() && give(now, rest.next())) {
            rest.remove();
        }
    }

    private boolean see(long now, PlayerId other) {
        return give(now, other) && arrivals.remove(other);
    }

    /** Gives a player a slot and tells its name; false where there is none. */
    private boolean give(long now, PlayerId other) {
        Quake3Player same = clients.of(other);
        int slot = client.visible.add(now, other, same == null ? -1 : same.clientNum);
        changed(slot);
        if (slot >= 0) {
            strangers.set(slot);
        }
        return slot >= 0;
    }

    /** Whether the client knows whose body it sees in a slot. */
    boolean isKnown(int slot) {
        return !strangers.get(slot);
    }

    /** Tells what is not as the client has been told it, as far as it can hear it. */
    void tell(long now, RunningLevel running, List<Player> shown) {
        if (!client.hasGamestate()) {
            return;
        }
        settle(now, shown);
        String name = client.player().map(Player::name).orElse(ownName);
        if (!name.equals(ownName)) {
            ownName = name;
            changed(client.clientNum);
        }
        for (int index = untold.nextSetBit(0);
                index >= 0 && !isBehind();
                index = untold.nextSetBit(index + 1)) {
            untold.clear(index);
            if (index >= Configstrings.PLAYERS) {
                strangers.clear(index - Configstrings.PLAYERS);
            }
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
            default -> info(client.at(index - Configstrings.PLAYERS), clients, running.openArena());
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

    /** What is told of a player in a slot: its configstring, empty for nobody. */
    static String info(@Nullable PlayerId id, Clients clients, boolean openArena) {
        Player player = id == null ? null : clients.arena().find(id).orElse(null);
        if (player == null) {
            return "";
        }
        Quake3Player same = clients.of(player.id());
        if (same == null) {
            Look look = Look.of(player.game(), player.name(), openArena);
            return info(player, 0, look.model(), look.model(), look.colour(), look.colour());
        }
        InfoString userinfo = same.userinfo();
        return info(
                player,
                same.body.team(),
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
