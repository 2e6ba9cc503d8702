package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.AvailableCommands;
import dev.wishdir.bedrock.message.AvailableCommands.Overload;
import dev.wishdir.bedrock.message.AvailableCommands.Parameter;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.movement.BedrockMovement;
import dev.wishdir.bedrock.server.view.GeneratedSkins;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.operator.RecordingViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.RakNetNetwork;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** How a client of this game sees the players of all games. */
@Tag("slow")
class BedrockOthersTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    private final BedrockNetwork n =
            BedrockNetwork.with(1, s -> s.maxPlayers(20).adminPassword("boss"));
    private int port = 7000;

    private ScriptedClient player(String name) {
        ScriptedClient player = new ScriptedClient(n, port++);
        player.play(name);
        return player;
    }

    private ArenaPlayer other(String game, String name) {
        ArenaPlayer other = n.arena.join(n.network.now(), game, name, new NoOpViewer());
        other.spawn(n.network.now(), Movement.at(new Vec3(1, 2, 0), 0));
        n.network.run(SECOND / 10);
        return other;
    }

    private ArenaPlayer mirrored(int node, String name) {
        ArenaPlayer other =
                n.arena.mirror(
                        n.network.now(), new PlayerId(node, Integer.MAX_VALUE), "bedrock", name);
        other.spawn(n.network.now(), Movement.at(new Vec3(1, 2, 0), 0));
        n.network.run(SECOND / 10);
        return other;
    }

    private static List<ListedPlayer> listed(ScriptedClient viewer) {
        return viewer.all(PlayerList.class).stream()
                .flatMap(list -> list.entries().stream())
                .toList();
    }

    @Test
    void listsEachPlayerOnce() {
        player("Early");
        other("quake2", "Grunt");
        ScriptedClient viewer = player("Viewer");
        other("quake3", "Sarge");
        player("Late");
        n.network.run(SECOND);
        assertThat(listed(viewer))
                .extracting(ListedPlayer::name)
                .containsExactlyInAnyOrder("Viewer", "Early", "[Q2] Grunt", "[Q3] Sarge", "Late");
        assertThat(viewer.all(AddPlayer.class))
                .extracting(AddPlayer::name)
                .containsExactlyInAnyOrder("Early", "[Q2] Grunt", "[Q3] Sarge", "Late");
        assertThat(listed(viewer).stream().map(ListedPlayer::uuid)).doesNotHaveDuplicates();
    }

    @Test
    void showsBodiesOfInterestSetAndListsAll() {
        List<String> all = new ArrayList<>(List.of("Viewer"));
        for (int i = 0; i < Arena.DEFAULT_MAX_VISIBLE_PLAYERS + 16; i++) {
            ArenaPlayer other =
                    n.arena.join(n.network.now(), "quake2", "Grunt" + i, new NoOpViewer());
            int row = i / 20;
            other.spawn(n.network.now(), Movement.at(new Vec3(i % 20 - 10, row, 0), 0));
            all.add("[Q2] Grunt" + i);
        }
        ScriptedClient viewer = player("Viewer");
        n.network.run(2 * SECOND);
        Player self =
                n.arena.players().stream()
                        .filter(player -> player.name().equals("Viewer"))
                        .findFirst()
                        .orElseThrow();
        List<String> visible =
                n.arena.player(self.id()).orElseThrow().visiblePlayers().stream()
                        .map(player -> "[Q2] " + player.name())
                        .toList();
        assertThat(visible).hasSize(Arena.DEFAULT_MAX_VISIBLE_PLAYERS);
        assertThat(viewer.all(AddPlayer.class))
                .extracting(AddPlayer::name)
                .containsExactlyInAnyOrderElementsOf(visible);
        assertThat(listed(viewer))
                .extracting(ListedPlayer::name)
                .containsExactlyInAnyOrderElementsOf(all);
    }

    /** By an operator, or by the rule of a cluster: its viewer gets no event of it. */
    @Test
    void showsClientThatItsOwnPlayerWasRenamed() {
        ScriptedClient viewer = player("Viewer");
        ScriptedClient other = player("Other");
        viewer.heard.clear();
        other.heard.clear();
        ArenaPlayer own =
                n.arena.players().stream()
                        .filter(it -> it.name().equals("Viewer"))
                        .findFirst()
                        .flatMap(it -> n.arena.player(it.id()))
                        .orElseThrow();
        own.forceRename(n.network.now(), "Seen");
        n.network.run(SECOND);
        assertThat(listed(viewer)).extracting(ListedPlayer::name).containsExactly("Seen");
        assertThat(viewer.all(SetActorData.class))
                .flatExtracting(SetActorData::metadata)
                .extracting(Metadata::value)
                .containsExactly(new Metadata.OfText("Seen"));
        assertThat(listed(other)).extracting(ListedPlayer::name).containsExactly("Seen");
        assertThat(listed(other).getFirst().uuid())
                .as("of others")
                .isNotEqualTo(listed(viewer).getFirst().uuid());
    }

    @Test
    void coloursPlayersByGame() {
        ScriptedClient viewer = player("Viewer");
        other("quake2", "Grunt");
        other("quake3", "Sarge");
        n.network.run(SECOND);
        assertThat(listed(viewer))
                .filteredOn(entry -> entry.name().equals("[Q2] Grunt"))
                .extracting(entry -> entry.skin().image())
                .containsExactly(GeneratedSkins.of("quake2", "Grunt").image());
        assertThat(listed(viewer))
                .filteredOn(entry -> entry.name().equals("[Q3] Sarge"))
                .extracting(entry -> entry.skin().image())
                .containsExactly(GeneratedSkins.of("quake3", "Sarge").image());
    }

    @Test
    void showsChatAndNamesVerbatim() {
        ScriptedClient viewer = player("Viewer");
        ArenaPlayer odd = other("quake3", "\u00A7cEvil%item.apple.name");
        viewer.heard.clear();
        for (String said : List.of("\u00A7kx", "%gui.exit", "/kick Viewer", "a\nb", "^1\"q\" 5%")) {
            odd.say(n.network.now(), said);
        }
        n.arena.announce(n.network.now(), "%gui.exit \u00A7lnow");
        n.network.run(SECOND);
        assertThat(viewer.all(Text.class))
                .allSatisfy(text -> assertThat(text.translate()).isFalse())
                .extracting(Text::source, Text::message)
                .containsExactly(
                        said("x"),
                        said("\uFF05gui.exit"),
                        said("/kick Viewer"),
                        said("a b"),
                        said("^1\"q\" 5%"),
                        tuple("", "\uFF05gui.exit now"));
    }

    private static Tuple said(String text) {
        return tuple("[Q3] Evil\uFF05item.apple.name", text);
    }

    /** Numbers of players repeat on each server; node and number have 61 bits. */
    @Test
    void knowsPlayersByNodeAndNumber() {
        ScriptedClient viewer = player("Viewer");
        List<Integer> nodes =
                List.of(PlayerId.GHOST_NODE, 2, 1 << 29, PlayerId.MAX_NODE - 1, PlayerId.MAX_NODE);
        nodes.forEach(node -> mirrored(node, "node" + node));
        n.network.run(SECOND);
        assertThat(viewer.all(AddPlayer.class))
                .extracting(AddPlayer::name)
                .containsExactlyElementsOf(nodes.stream().map(node -> "node" + node).toList());
        assertThat(viewer.all(AddPlayer.class))
                .extracting(AddPlayer::runtimeId)
                .doesNotHaveDuplicates()
                .allMatch(id -> id > 0 && id % 2 == 0, "that of a foreign player");
        assertThat(listed(viewer).stream().map(ListedPlayer::uuid)).doesNotHaveDuplicates();
    }

    @Test
    void countsEveryoneInServerListEntry() {
        player("Ann");
        mirrored(7, "Far");
        other("quake2", "Grunt");
        other("quake3", "Sarge");
        List<String> motds = new ArrayList<>();
        InetSocketAddress browser = RakNetNetwork.address(9, 9);
        n.network.tap((_, _, to, data) -> {
            if (to.equals(browser)
                    && OfflineMessage.read(new Reader(data), RakNetSettings.MAGIC, true)
                            instanceof OfflineMessage.UnconnectedPong pong) {
                motds.add(pong.motd());
            }
        });
        n.network.inject(
                browser,
                n.endpoint.address(),
                WireLaws.write(
                        new OfflineMessage.UnconnectedPing(false, 1, 2),
                        (w, m) -> OfflineMessage.UnconnectedPing.wire(w, m, RakNetSettings.MAGIC)));
        n.network.run(SECOND);
        assertThat(motds)
                .singleElement()
                .satisfies(motd ->
                        assertThat(List.of(motd.split(";", -1)).subList(4, 6))
                                .containsExactly("4", "23"));
    }

    @Test
    void answersListAndDistanceToAnyone() {
        ScriptedClient ann = player("Ann");
        ArenaPlayer grunt = other("quake2", "\u00A7cGrunt");
        grunt.setPing(45);
        n.network.conditions(new Conditions(0, 0, 30_000_000, 0));
        n.network.run(5 * SECOND);
        ann.heard.clear();
        ann.send(new CommandRequest("/list", Bytes.EMPTY));
        n.network.run(SECOND);
        assertThat(ann.all(Text.class))
                .singleElement()
                .satisfies(list ->
                        assertThat(list.message())
                                .matches(
                                        "2 players\nAnn, bedrock, [1-9][0-9]? ms\n"
                                                + "Grunt, quake2, 45 ms"));
    }

    @Test
    void reachesPlayersOfAllGamesAsOperator() {
        ScriptedClient ann = player("Ann");
        RecordingViewer elsewhere = new RecordingViewer();
        n.arena.join(n.network.now(), "quake3", "Sarge Two", elsewhere);
        ann.send(new CommandRequest("/kick Sarge Two", Bytes.EMPTY));
        assertThat(elsewhere.events).noneMatch(ArenaEvent.KickRequested.class::isInstance);
        ann.send(new CommandRequest("/admin boss", Bytes.EMPTY));
        ann.send(new CommandRequest("/kick \"Sarge Two\"", Bytes.EMPTY));
        assertThat(elsewhere.events)
                .filteredOn(ArenaEvent.KickRequested.class::isInstance)
                .singleElement()
                .satisfies(event ->
                        assertThat(((ArenaEvent.KickRequested) event).reason().text())
                                .isEqualTo("You were kicked."));
        ann.heard.clear();
        ann.send(new CommandRequest("/kick Nora", Bytes.EMPTY));
        assertThat(ann.all(Text.class))
                .extracting(Text::message)
                .containsExactly("No player is called Nora.");
    }

    @Test
    void keepsOperatorThatBansItsNeighbour() {
        ScriptedClient ann = player("Ann");
        player("Bob");
        player("Cis");
        ann.send(new CommandRequest("/admin boss", Bytes.EMPTY));
        ann.heard.clear();
        ann.send(new CommandRequest("/ban Bob 1h noise", Bytes.EMPTY));
        n.network.run(SECOND);
        assertThat(n.arena.players()).extracting(Player::name).containsExactly("Ann");
        assertThat(ann.all(Text.class))
                .extracting(Text::message)
                .anyMatch(text -> text.contains("with admin-password: noise"))
                .anyMatch(text -> text.contains("Not kicked, as they have rights here: Ann"));
    }

    @Test
    void answersEveryOperatorCommand() {
        ScriptedClient ann = player("Ann");
        ann.send(new CommandRequest("/admin boss", Bytes.EMPTY));
        ann.heard.clear();
        for (int i = 0; i < 20; i++) {
            ann.send(new CommandRequest("/bans", Bytes.EMPTY));
        }
        assertThat(ann.all(Text.class))
                .hasSize(20)
                .extracting(Text::message)
                .containsOnly("There are no bans.");
    }

    @Test
    void sendsAllowedCommandsToClients() {
        ScriptedClient ann = player("Ann");
        assertThat(ann.all(AvailableCommands.class))
                .singleElement()
                .satisfies(list ->
                        assertThat(list.commands())
                                .extracting(AvailableCommands.Command::name)
                                .containsExactly("list", "tell", "admin"));
        ann.send(new CommandRequest("/admin wrong", Bytes.EMPTY));
        ann.send(new CommandRequest("/list", Bytes.EMPTY));
        assertThat(ann.all(AvailableCommands.class)).hasSize(1);
        ann.send(new CommandRequest("/admin boss", Bytes.EMPTY));
        ann.send(new CommandRequest("/status", Bytes.EMPTY));
        assertThat(ann.all(AvailableCommands.class)).hasSize(2);
        AvailableCommands orders = ann.all(AvailableCommands.class).getLast();
        assertThat(orders.commands())
                .extracting(AvailableCommands.Command::name)
                .containsExactly(
                        "list",
                        "tell",
                        "status",
                        "say",
                        "kick",
                        "ban",
                        "unban",
                        "bans",
                        "map",
                        "name",
                        "password",
                        "replay",
                        "match",
                        "restart",
                        "next",
                        "pause",
                        "flag",
                        "quit",
                        "help");
        assertThat(orders.commands().get(4).overloads())
                .containsExactly(
                        new Overload(
                                false,
                                List.of(
                                        new Parameter("player", Parameter.TARGET, false, 0),
                                        new Parameter("reason", Parameter.TEXT, true, 0))),
                        new Overload(
                                false,
                                List.of(new Parameter("player reason", Parameter.TEXT, false, 0))));
        assertThat(orders.commands().get(2).overloads())
                .containsExactly(new Overload(false, List.of()));
    }

    @Test
    void carriesWhispersAcrossGames() {
        ScriptedClient ann = player("Ann");
        ScriptedClient bob = player("Bob");
        RecordingViewer elsewhere = new RecordingViewer();
        ArenaPlayer sarge = n.arena.join(n.network.now(), "quake3", "Sarge", elsewhere);
        ann.send(new CommandRequest("/tell sarge \u00A7chi % there", Bytes.EMPTY));
        assertThat(elsewhere.events)
                .filteredOn(ArenaEvent.Whisper.class::isInstance)
                .extracting(event -> ((ArenaEvent.Whisper) event).text())
                .containsExactly("hi % there");
        PlayerId annsId = n.arena.players().getFirst().id();
        ann.heard.clear();
        bob.heard.clear();
        sarge.whisper(n.network.now(), annsId, "%gui.exit");
        n.network.run(SECOND);
        assertThat(ann.all(Text.class))
                .extracting(Text::message)
                .containsExactly("[Q3] Sarge whispers to you: \uFF05gui.exit");
        assertThat(bob.all(Text.class)).isEmpty();
    }

    /** One of this game in another process, or in a recording. */
    @Test
    void showsStoredMovementUnchangedUnderAnotherNumber() {
        ScriptedClient viewer = player("Viewer");
        ScriptedClient mover = player("Mover");
        ArenaPlayer stored = mirrored(PlayerId.MAX_NODE, "Stored");
        n.network.run(SECOND);
        long storedId = n.endpoint.identities().runtimeId(stored.id());
        long moverId = mover.id();
        assertThat(storedId).isNotEqualTo(moverId).isPositive();
        Vec3f eyes = BedrockMotion.eyes(n.arena.players().get(1).movement().position());
        for (int i = 0; i < 5; i++) {
            Vec3f to = new Vec3f(eyes.x() + 0.1f * i, eyes.y(), eyes.z() - 0.03f * i);
            viewer.heard.clear();
            mover.send(new MovePlayer(moverId, to, new Vec2f(3.3f * i, 7.7f), 1.1f, 0, true, i));
            Player live = n.arena.players().get(1);
            NativeMovement form = live.nativeMovement();
            stored.recordActivity(n.network.now());
            stored.move(
                    n.network.now(),
                    live.movement(),
                    new NativeMovement.Stored(form.form(), form.bytes()));
            n.network.run(SECOND);
            MovePlayer seen = last(viewer, moverId);
            assertThat(seen.position()).isEqualTo(to);
            assertThat(last(viewer, storedId)).isEqualTo(seen.of(storedId));
        }
    }

    private static MovePlayer last(ScriptedClient viewer, long id) {
        return viewer.all(MovePlayer.class).stream()
                .filter(move -> move.runtimeId() == id)
                .toList()
                .getLast();
    }

    @Test
    void showsInvalidStoredMovementAsCanonical() {
        ScriptedClient viewer = player("Viewer");
        ArenaPlayer stored = other("bedrock", "Stored");
        n.network.run(SECOND);
        for (Bytes bad : List.of(Bytes.EMPTY, Bytes.of((byte) 19, (byte) 1), Bytes.of((byte) 9))) {
            viewer.heard.clear();
            Movement there = Movement.at(new Vec3(2, 3, bad.length()), 10);
            stored.move(
                    n.network.now(), there, new NativeMovement.Stored(BedrockMovement.FORM, bad));
            n.network.run(SECOND);
            long id = n.endpoint.identities().runtimeId(stored.id());
            assertThat(last(viewer, id)).isEqualTo(BedrockMotion.toNative(id, there));
        }
    }

    @Test
    void ignoresTickInMovementComparison() {
        MovePlayer move = BedrockMotion.toNative(1, Movement.at(new Vec3(1, 2, 3), 4));
        MovePlayer later =
                new MovePlayer(
                        1,
                        move.position(),
                        move.rotation(),
                        move.headYaw(),
                        0,
                        move.onGround(),
                        99);
        MovePlayer turned =
                new MovePlayer(1, move.position(), move.rotation(), 5, 0, move.onGround(), 0);
        BedrockMovement first = new BedrockMovement(move);
        assertThat(first.looksLike(new BedrockMovement(later))).isTrue();
        assertThat(first.looksLike(new BedrockMovement(turned))).isFalse();
        assertThat(first.looksLike(NativeMovement.Stored.NONE)).isFalse();
    }

    @Test
    void limitsShownMovementToTwentyPerSecond() {
        ScriptedClient viewer = player("Viewer");
        ArenaPlayer fast = other("quake3", "Fast");
        n.network.run(SECOND);
        viewer.heard.clear();
        for (int i = 0; i < 250; i++) {
            fast.move(
                    n.network.now(),
                    Movement.at(new Vec3(i * 0.01, 0, 0), 0),
                    NativeMovement.Stored.NONE);
            n.network.run(SECOND / 125);
        }
        assertThat(viewer.all(MovePlayer.class)).hasSizeBetween(38, 46);
    }
}
