package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.Batches;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.motion.Movement;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.RakNetNetwork;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What a hostile client may send above RakNet, by the rows of docs/HOSTILE.md. */
@ParameterizedClass(name = "protocol {0} over {1}")
@CsvSource({"685, raknet", "748, raknet", "2193, raknet", "2193, nethernet"})
@Tag("slow")
public class BedrockHostileInputTest {
    private final BedrockCodec codec;
    private final String transport;

    BedrockHostileInputTest(int protocol, String transport) {
        codec = BedrockCodec.of(protocol).orElseThrow();
        this.transport = transport;
    }

    private static final long SECOND = BedrockNetwork.SECOND;
    static final UUID ID = new UUID(1, 2);

    private ScriptedClient attacker(long seed) {
        return new ScriptedClient(new BedrockNetwork(seed).over(transport), 7000, codec);
    }

    /** The server is whole: another client joins it. */
    private static void isServed(BedrockNetwork n) {
        n.join("Canary", BedrockNetwork.STILL, new BedrockNetwork.Events()).close();
        n.network.run(2 * SECOND);
        assertThat(n.arena.players()).noneMatch(player -> player.name().equals("Canary"));
    }

    @Test
    @DisplayName("E1 the entry of the server list is kept short")
    void boundsServerListEntry() {
        BedrockNetwork n = new BedrockNetwork(1, "\uD83D\uDE00;".repeat(5000));
        List<byte[]> answers = new ArrayList<>();
        n.network.tap((_, from, _, data) -> {
            if (from.equals(n.endpoint.address())) {
                answers.add(data);
            }
        });
        n.network.inject(
                RakNetNetwork.address(66, 6666),
                n.endpoint.address(),
                WireLaws.write(
                        new OfflineMessage.UnconnectedPing(false, 1, 2),
                        (w, m) -> OfflineMessage.UnconnectedPing.wire(w, m, RakNetSettings.MAGIC)));
        n.network.run(SECOND);
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst()).hasSizeLessThan(400);
        assertThat(OfflineMessage.read(new Reader(answers.getFirst()), RakNetSettings.MAGIC, false))
                .isInstanceOfSatisfying(
                        OfflineMessage.UnconnectedPong.class,
                        pong -> assertThat(pong.motd().split(";", -1)).hasSize(13));
    }

    @Test
    @DisplayName("E10 batches are taken only as agreed, and small before the login")
    void checksBatchFormAndSizeBeforeLogin() {
        for (String batch : List.of("", "00", "02ff", "fe00", "0178", "ff", "fe")) {
            if (batch.isEmpty() && transport.equals("nethernet")) {
                continue; // It carries none that are empty.
            }
            ScriptedClient attacker = attacker(1);
            attacker.settings();
            attacker.raw(Bytes.ofHex(batch).toArray());
            assertThat(attacker.kicked()).as("batch %s", batch).isTrue();
        }
        ScriptedClient early = attacker(2);
        early.raw(Bytes.ofHex("00cb480500").toArray());
        assertThat(early.kicked()).isTrue();
        // One batch before the login: of 64 KiB, and of a byte more.
        for (int more = 0; more < 2; more++) {
            ScriptedClient large = attacker(3 + more);
            Writer w = new Writer(1 << 20);
            codec.write(w, new LoginMessage.RequestNetworkSettings(codec.protocol()));
            w.append(new byte[1 << 16], 0, (1 << 16) - 3 - w.position() + more);
            large.raw(Batches.pack(large.batches, w.toByteArray()));
            assertThat(large.kicked()).isEqualTo(more == 1);
        }
        isServed(early.n);
    }

    private static void malformed(Runnable task) {
        assertThatExceptionOfType(MalformedPacketException.class).isThrownBy(task::run);
    }

    @Test
    @DisplayName("E11 a message for another player on the same screen changes nothing")
    void ignoresMessageForOtherSubclient() {
        // A move of the second player on a shared screen.
        ScriptedClient attacker = attacker(1);
        attacker.play("Eve");
        Writer w = new Writer(1 << 20);
        Encoding.uvarint(w, "header", 19 | 1 << 10);
        MovePlayer.wire(w, MovePlayer.BLANK, codec.dialect());
        attacker.raw(Batches.pack(attacker.batches, w.toByteArray()));
        assertThat(attacker.kicked()).isFalse();
    }

    @Test
    @DisplayName("E12 the login has one order, and other versions are refused with that reason")
    void enforcesLoginOrderAndVersion() {
        for (int protocol : new int[] {0, 684, 747, 749, 2192, 2194, -1}) {
            ScriptedClient attacker = attacker(protocol);
            attacker.send(new LoginMessage.RequestNetworkSettings(protocol));
            assertThat(attacker.all(PlayStatus.class))
                    .extracting(PlayStatus::status)
                    .containsExactly(protocol > 2193 ? 2 : 1);
            assertThat(attacker.kicked()).isTrue();
        }
        ScriptedClient twice = attacker(1);
        twice.settings();
        twice.send(new LoginMessage.RequestNetworkSettings(codec.protocol()));
        assertThat(twice.all(Disconnect.class)).hasSize(1);
        assertThat(twice.kicked()).isTrue();
        ScriptedClient late = attacker(2);
        late.play("Eve");
        late.send(new LoginMessage.RequestNetworkSettings(codec.protocol()));
        assertThat(late.kicked()).isTrue();
        assertThat(late.n.arena.players()).isEmpty();
        ScriptedClient first = attacker(3);
        first.send(first.login("Eve"));
        assertThat(first.all(Disconnect.class)).hasSize(1);
        assertThat(first.kicked()).isTrue();
        isServed(first.n);
    }

    @Test
    @DisplayName("E15 the name that a client claims is made clean")
    void cleansClaimedName() {
        BedrockNetwork n = new BedrockNetwork(1);
        new ScriptedClient(n, 7000, codec).play("\u00A7cA\u00A7kn\nn");
        new ScriptedClient(n, 7001, codec).play("ann");
        assertThat(n.arena.players()).extracting(p -> p.name()).containsExactly("An n", "ann");
        new ScriptedClient(n, 7002, codec).play("ANN");
        assertThat(n.arena.players()).extracting(p -> p.name()).contains("ANN(2)");
    }

    @Test
    @DisplayName("E16 encryption can be neither skipped nor confused")
    void enforcesEncryption() {
        ScriptedClient again = attacker(3);
        again.play("Eve");
        again.send(LoginMessage.ClientToServerHandshake.BLANK);
        assertThat(again.kicked()).isTrue();
        isServed(again.n);
        if (transport.equals("nethernet")) {
            return; // Encryption is below the game there, and the rows of DTLS are its own.
        }

        ScriptedClient plain = attacker(1);
        plain.automatic = false;
        plain.settings();
        plain.send(plain.login("Eve"));
        BatchCodec clear = new BatchCodec(1 << 20, 100);
        clear.compress(Algorithm.DEFLATE, 256);
        Writer handshake = new Writer(1024);
        codec.write(handshake, LoginMessage.ClientToServerHandshake.BLANK);
        plain.raw(Batches.pack(clear, handshake.toByteArray()));
        assertThat(plain.kicked()).isTrue();

        ScriptedClient skipped = attacker(2);
        skipped.automatic = false;
        skipped.settings();
        skipped.send(skipped.login("Eve"));
        skipped.send(new PackMessage.ResourcePackClientResponse(4, List.of()));
        assertThat(skipped.kicked()).isTrue();

        ScriptedClient replay = attacker(4);
        replay.play("Eve");
        byte[] batch = replay.session.pack(new WorldMessage.SetTime(1));
        replay.raw(batch);
        assertThat(replay.gone).isFalse();
        replay.raw(batch);
        assertThat(replay.kicked()).isTrue();

        ScriptedClient forged = attacker(5);
        forged.play("Eve");
        byte[] wrong = forged.session.pack(new WorldMessage.SetTime(1));
        wrong[wrong.length - 1] ^= 1;
        forged.raw(wrong);
        assertThat(forged.kicked()).isTrue();
        assertThat(replay.n.arena.players()).isEmpty();
        isServed(replay.n);
    }

    @Test
    @DisplayName("E17 each step of the packs is taken once")
    void acceptsEachPackStepOnce() {
        ScriptedClient attacker = attacker(1);
        attacker.logIn("Eve");
        for (int i = 0; i < 100; i++) {
            attacker.send(new PackMessage.ResourcePackClientResponse(4, List.of()));
        }
        assertThat(attacker.all(StartGame.class)).hasSize(1);

        ScriptedClient again = attacker(4);
        again.logIn("Eve");
        for (int i = 0; i < 100; i++) {
            again.send(new PackMessage.ResourcePackClientResponse(3, List.of()));
        }
        assertThat(again.all(PackMessage.ResourcePackStack.class)).hasSize(1);

        ScriptedClient early = attacker(2);
        early.settings();
        early.send(new PackMessage.ResourcePackClientResponse(3, List.of()));
        assertThat(early.kicked()).isTrue();

        ScriptedClient greedy = attacker(3);
        greedy.logIn("Eve");
        Writer w = new Writer(1 << 20);
        Encoding.uvarint(w, "header", 8);
        if (codec.has(ProtocolChange.PACK_RESPONSE_NAMED)) {
            w.u8("status", 1);
            w.u8("status name", 0);
            Encoding.uvarint(w, "packs", 10_000);
        } else {
            w.u8("status", 2);
            w.u16le("packs", 10_000);
        }
        for (int i = 0; i < 10_000; i++) {
            w.u8("pack", 0);
        }
        greedy.raw(Batches.pack(greedy.batches, w.toByteArray()));
        assertThat(greedy.kicked()).isTrue();
        isServed(greedy.n);
    }

    private static Movement movement(BedrockNetwork n) {
        return n.arena.players().iterator().next().movement();
    }

    private static MovePlayer move(long id, Vec3f to, Vec2f rotation, float head) {
        return new MovePlayer(id, to, rotation, head, 0, true, 0);
    }

    private static Vec3f near(BedrockNetwork n) {
        Vec3f at = BedrockMotion.eyes(movement(n).position());
        return new Vec3f(at.x() + 0.1f, at.y(), at.z());
    }

    @Test
    @DisplayName("E18 moves before the game, of others, of every mode")
    void ignoresMovesBeforeGameAndOfOthers() {
        ScriptedClient attacker = attacker(1);
        attacker.logIn("Eve");
        attacker.send(new PackMessage.ResourcePackClientResponse(4, List.of()));
        attacker.send(move(1, Vec3f.ZERO, Vec2f.ZERO, 0));
        assertThat(attacker.n.arena.players()).noneMatch(player -> player.spawned());
        attacker.send(new WorldMessage.RequestChunkRadius(4, 4));
        attacker.send(new WorldMessage.SetLocalPlayerAsInitialized(1));
        Movement before = movement(attacker.n);
        attacker.send(move(2, near(attacker.n), Vec2f.ZERO, 0));
        assertThat(movement(attacker.n)).isEqualTo(before);
        for (long tick : new long[] {-1, 0, Long.MIN_VALUE}) {
            for (int mode = 0; mode <= 3; mode++) {
                Vec3f to = near(attacker.n);
                attacker.send(new MovePlayer(1, to, Vec2f.ZERO, 0, mode, true, tick));
                assertThat(movement(attacker.n).position().x()).isEqualTo(to.x());
            }
        }
        assertThat(attacker.gone).isFalse();
        for (int mode : new int[] {4, 255}) {
            ScriptedClient bad = attacker(mode);
            bad.play("Eve");
            Writer w = new Writer(1 << 20);
            codec.write(w, move(1, near(bad.n), Vec2f.ZERO, 0));
            byte[] bytes = w.toByteArray();
            bytes[2 + 12 + 8 + 4] = (byte) mode;
            w.reset();
            w.append(bytes, 0, bytes.length);
            bad.raw(Batches.pack(bad.batches, w.toByteArray()));
            assertThat(bad.kicked()).isTrue();
        }
        // A cause where there is no teleport reads as part of the tick.
        Writer extra = new Writer(1 << 20);
        Vec3f at = near(attacker.n);
        codec.write(extra, move(1, at, Vec2f.ZERO, 0));
        extra.append(new byte[8], 0, 8);
        attacker.raw(Batches.pack(attacker.batches, extra.toByteArray()));
        assertThat(movement(attacker.n).position().x()).isEqualTo(at.x());
        assertThat(attacker.gone).isFalse();
        // A teleport without its cause ends too early.
        byte[] cut = {
            19, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0,
            0
        };
        malformed(() -> codec.read(new Reader(cut)));
    }

    @Test
    @DisplayName("E19 numbers that are none, or places outside any world, are not passed on")
    void dropsInvalidNumbersAndPlaces() {
        ScriptedClient attacker = attacker(1);
        attacker.play("Eve");
        Movement before = movement(attacker.n);
        Vec3f to = near(attacker.n);
        int sent = 0;
        for (float bad :
                new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
            for (MovePlayer move :
                    List.of(
                            move(1, new Vec3f(bad, to.y(), to.z()), Vec2f.ZERO, 0),
                            move(1, new Vec3f(to.x(), bad, to.z()), Vec2f.ZERO, 0),
                            move(1, new Vec3f(to.x(), to.y(), bad), Vec2f.ZERO, 0),
                            move(1, to, new Vec2f(bad, 0), 0),
                            move(1, to, new Vec2f(0, bad), 0),
                            move(1, to, Vec2f.ZERO, bad))) {
                attacker.send(move);
                sent++;
            }
        }
        for (float far : new float[] {3.4e38f, 30_000_010, -30_000_010}) {
            attacker.send(move(1, new Vec3f(far, to.y(), to.z()), Vec2f.ZERO, 0));
            sent++;
        }
        assertThat(movement(attacker.n)).isEqualTo(before);
        assertThat(attacker.n.counters.get("bedrock.drop.insane")).isEqualTo(sent);
        for (float odd : new float[] {1e30f, -0f, Float.MIN_VALUE}) {
            attacker.send(move(1, near(attacker.n), new Vec2f(odd, odd), odd));
            assertThat(movement(attacker.n).isValid()).isTrue();
        }
        assertThat(attacker.gone).isFalse();
    }

    public static PlayerAuthInput input(Vec3f at, Vec2f move, Vec3f delta, long bits, long tick) {
        return input(Vec2f.ZERO, at, move, delta, bits, 1, tick);
    }

    /** An input of a client that looks where its head and its cross hair point. */
    public static PlayerAuthInput input(
            Vec2f look, Vec3f at, Vec2f move, Vec3f delta, long bits, int mode, long tick) {
        Vec3f gaze = Vec3f.ZERO;
        Vec2f none = Vec2f.ZERO;
        Bytes order = Bytes.EMPTY;
        return new PlayerAuthInput(
                look,
                at,
                move,
                look.y(),
                bits,
                0,
                order,
                mode,
                0,
                1,
                look,
                gaze,
                tick,
                delta,
                false,
                false,
                order,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                none,
                gaze,
                none);
    }

    @Test
    @DisplayName("E20 inputs are bounded in number and in what they say")
    void boundsInputs() {
        ScriptedClient attacker = attacker(1);
        attacker.play("Eve");
        BedrockNetwork n = attacker.n;
        Movement before = movement(n);
        Vec3f to = near(n);
        attacker.send(input(to, new Vec2f(Float.NaN, 0), Vec3f.ZERO, 0, 1));
        attacker.send(input(to, new Vec2f(0, 5), Vec3f.ZERO, 0, 1));
        attacker.send(input(to, new Vec2f(1, 1), Vec3f.ZERO, 0, 1));
        attacker.send(input(to, Vec2f.ZERO, new Vec3f(0, Float.NaN, 0), 0, 1));
        attacker.send(input(to, Vec2f.ZERO, new Vec3f(1e9f, 0, 0), 0, 1));
        assertThat(movement(n)).isEqualTo(before);
        for (long tick : new long[] {5, 5, 3, 1_000_005}) {
            Vec3f next = near(n);
            attacker.send(input(next, Vec2f.ZERO, Vec3f.ZERO, 0, tick));
            assertThat(movement(n).position().x()).isEqualTo(next.x());
        }
        n.network.run(5 * SECOND);
        int[] moved = new int[1];
        n.arena.addListener(event -> {
            if (event instanceof ArenaEvent.Moved) {
                moved[0]++;
            }
        });
        // 200 inputs a second, for 4 seconds, each a centimetre on.
        Vec3f at = BedrockMotion.eyes(movement(n).position());
        for (int i = 0; i < 40; i++) {
            BedrockMessage[] burst = new BedrockMessage[20];
            for (int k = 0; k < burst.length; k++) {
                burst[k] = input(at, Vec2f.ZERO, Vec3f.ZERO, 0, i * 20L + k);
            }
            attacker.send(burst);
        }
        // What five seconds of silence may have held up comes together with what comes at once.
        assertThat(moved[0]).isBetween(60, 40 + (5 + 4) * 21 + 2);
        assertThat(n.counters.get("bedrock.drop.moves")).isPositive();
        Writer w = new Writer(1 << 20);
        Encoding.uvarint(w, "header", 144);
        PlayerAuthInput actions =
                input(at, Vec2f.ZERO, Vec3f.ZERO, PlayerAuthInput.Input.BLOCK_ACTIONS, 9);
        PlayerAuthInput.wire(w, actions, codec.dialect());
        byte[] bytes = w.toByteArray();
        int tail =
                codec.has(ProtocolChange.INPUT_RAW)
                        ? 28
                        : codec.has(ProtocolChange.INPUT_CAMERA) ? 20 : 8;
        w.reset();
        if (codec.has(ProtocolChange.INPUT_LIST)) {
            w.append(bytes, 0, bytes.length - tail - 3);
            w.u8("block actions", 1);
            Encoding.uvarint(w, "block actions", 10_000);
        } else {
            w.append(bytes, 0, bytes.length - tail - 1);
            Encoding.varint(w, "block actions", 10_000);
        }
        for (int i = 0; i < 10_000; i++) {
            w.u8("action", 10);
        }
        attacker.raw(Batches.pack(attacker.batches, w.toByteArray()));
        assertThat(attacker.kicked()).isTrue();
        // Inputs of more bits than there are.
        byte[] endless = new byte[60];
        endless[0] = (byte) 0x90;
        endless[1] = 1;
        Arrays.fill(endless, 2 + 32, 2 + 32 + 11, (byte) 0xFF);
        malformed(() -> codec.read(new Reader(endless)));
        malformed(() -> BedrockCodec.NEWEST.read(new Reader(endless)));
        isServed(n);
    }

    @Test
    @DisplayName("E21 who mixes both kinds of movement moves by one, vehicles change nothing")
    void ignoresSecondKindOfMovement() {
        for (String authority : List.of("server", "client")) {
            boolean server = authority.equals("server") || codec.has(ProtocolChange.SERVER_DECIDES);
            BedrockNetwork n = new BedrockNetwork(1, Map.of("authority", authority), 5);
            ScriptedClient attacker = new ScriptedClient(n, 7000, codec);
            attacker.play("Eve");
            Vec3f to = near(n);
            attacker.send(of(server, to));
            assertThat(movement(n).position().x()).isEqualTo(to.x());
            Movement before = movement(n);
            attacker.send(of(!server, near(n)));
            assertThat(movement(n)).isEqualTo(before);
            assertThat(n.counters.get("bedrock.drop.authority")).isEqualTo(1);
            // Without a vehicle its fields mean nothing; the place is the player's.
            Vec3f next = near(n);
            attacker.send(
                    server
                            ? input(
                                    next,
                                    Vec2f.ZERO,
                                    Vec3f.ZERO,
                                    PlayerAuthInput.Input.IN_VEHICLE,
                                    9)
                            : new MovePlayer(1, next, Vec2f.ZERO, 0, 3, true, 77, 0, 0, 0));
            assertThat(movement(n).position().x()).isEqualTo(next.x());
            assertThat(n.counters.get("bedrock.drop.vehicle")).isEqualTo(1);
            // A client that knows only the other kind is believed.
            n.network.run(2 * SECOND);
            Vec3f other = near(n);
            attacker.send(of(!server, other));
            assertThat(movement(n).position().x()).isEqualTo(other.x());
            assertThat(attacker.kicked()).isFalse();
        }
    }

    private BedrockMessage of(boolean input, Vec3f to) {
        return input ? input(to, Vec2f.ZERO, Vec3f.ZERO, 0, 9) : move(1, to, Vec2f.ZERO, 0);
    }

    @Test
    @DisplayName("E22 texts are bounded and made clean before others see them")
    void boundsAndCleansTexts() {
        ScriptedClient attacker = attacker(1);
        attacker.play("Eve");
        BedrockNetwork.Events bob = new BedrockNetwork.Events();
        attacker.n.join("Bob", BedrockNetwork.STILL, bob);
        attacker.send(chat("a\u0000b \u00A7kc \u202Ed"));
        attacker.n.network.run(SECOND);
        assertThat(bob.texts).containsExactly("Eve: ab c d");
        attacker.send(chat("\n".repeat(10_000)));
        attacker.n.network.run(SECOND);
        assertThat(bob.texts).hasSize(1);
        Writer w = new Writer(1 << 20);
        Encoding.uvarint(w, "header", 9);
        boolean categorised = codec.has(ProtocolChange.TEXT_CATEGORY);
        Bytes head = Bytes.ofHex(categorised ? "000101" : "0100");
        w.bytes("head", head, head.length());
        Encoding.uvarint(w, "source", 1);
        w.u8("source", 0xFF);
        Encoding.uvarint(w, "message", 2);
        w.u8("message", 0xC3);
        w.u8("message", 'x');
        for (int i = 0; i < 3; i++) {
            w.u8("empty", 0);
        }
        attacker.raw(Batches.pack(attacker.batches, w.toByteArray()));
        attacker.n.network.run(SECOND);
        assertThat(bob.texts).hasSize(2).last().asString().endsWith("x");
        byte[] huge = Bytes.ofHex((categorised ? "09000101" : "090100") + "ffffffff0f").toArray();
        malformed(() -> codec.read(new Reader(huge)));
    }

    private static Text chat(String message) {
        return Text.chat("somebody else", message);
    }

    private static List<String> oldest() {
        return List.of(
                "3f00ffffffff0f",
                "2701ffffffff0f",
                "1d01ffffffff0f",
                "0801ffff",
                "7a0a000908ffffffff0f",
                "7a0a0009070161010100ffffffff0f");
    }

    @Test
    @DisplayName("E23 lists and tags lie about their size in vain")
    void refusesFalseLengthsOfListsAndTags() {
        List<String> newest =
                List.of(
                        "3fffffffff0f",
                        "2701ffffffff0f",
                        "1d01ffffffff0f",
                        "080100ffffffff0f",
                        "7affffffff0f",
                        "a201ffffffff0f",
                        "d102ffffffff0f",
                        "06000000" + "00" + "00".repeat(17) + "ffffffff0f");
        for (String bytes : codec.has(ProtocolChange.LIST_OF_CHANGES) ? newest : oldest()) {
            malformed(() -> codec.read(new Reader(Bytes.ofHex(bytes))));
        }
        for (int inner : new int[] {Nbt.LIST, Nbt.COMPOUND}) {
            Writer w = new Writer(1 << 20);
            w.u8("type", Nbt.COMPOUND);
            w.u8("name", 0);
            w.u8("type", inner);
            w.u8("name", 0);
            for (int i = 0; i < 100_000; i++) {
                w.u8("type", inner);
                w.u8("length or name", inner == Nbt.LIST ? 2 : 0);
            }
            malformed(() ->
                    Nbt.wire(new Reader(w.toByteArray()), "nbt", Nbt.EMPTY, Nbt.Flavour.NETWORK));
        }
        for (String negative : List.of("0a000700ff", "0a00090001ff", "0a000b0001", "0a000c0001")) {
            malformed(() ->
                    Nbt.wire(
                            new Reader(Bytes.ofHex(negative)),
                            "nbt",
                            Nbt.EMPTY,
                            Nbt.Flavour.NETWORK));
        }
    }

    @Test
    @DisplayName("E24 an unfinished login takes no other client's place")
    void freesPlacesOfUnfinishedLogins() {
        BedrockNetwork n = new BedrockNetwork(1, Map.of(), 2);
        for (int i = 0; i < 12; i++) {
            new ScriptedClient(n, 7000 + i).logIn("Eve" + i);
        }
        assertThat(n.arena.players()).isEmpty();
        BedrockNetwork.Events ann = new BedrockNetwork.Events();
        n.join("Ann", BedrockNetwork.STILL, ann);
        n.network.run(40 * SECOND);
        assertThat(ann.endings).isEmpty();
        isServed(n);
    }

    @Test
    @DisplayName("E25 the view is clamped, and asked for in vain too often")
    void clampsViewDistanceAndLimitsRequests() {
        for (int radius : new int[] {0, -1, Integer.MAX_VALUE}) {
            ScriptedClient attacker = attacker(1);
            attacker.play("Eve");
            attacker.send(new WorldMessage.RequestChunkRadius(radius, 0));
            assertThat(attacker.all(WorldMessage.ChunkRadiusUpdated.class).getLast().radius())
                    .isBetween(1, 8);
            int chunks = attacker.all(LevelChunk.class).size();
            for (int i = 0; i < 100; i++) {
                attacker.send(new WorldMessage.RequestChunkRadius(i, 0));
            }
            assertThat(attacker.all(WorldMessage.ChunkRadiusUpdated.class)).hasSizeLessThan(20);
            assertThat(attacker.all(LevelChunk.class)).hasSize(chunks);
        }
    }

    /** All chunks are sent whole, so that nothing is left to ask for. */
    @Test
    @DisplayName("E25 requests of parts of chunks are ignored")
    void ignoresSubChunkRequests() {
        ScriptedClient attacker = attacker(1);
        attacker.play("Eve");
        attacker.heard.clear();
        Writer w = new Writer(1 << 20);
        Encoding.uvarint(w, "header", 175);
        Encoding.varint(w, "dimension", 0);
        for (int i = 0; i < 3; i++) {
            Encoding.varint(w, "origin", 0);
        }
        w.i32le("requests", 10_000);
        for (int i = 0; i < 3 * 10_000; i++) {
            w.i8("offset", i % 9);
        }
        attacker.raw(Batches.pack(attacker.batches, w.toByteArray()));
        attacker.n.network.run(SECOND);
        assertThat(attacker.heard).isEmpty();
        assertThat(attacker.n.counters.get("bedrock.drop.ignored")).isEqualTo(1);
        assertThat(attacker.kicked()).isFalse();
        isServed(attacker.n);
    }

    /** Their layouts are proved by vectors of five versions only. */
    @Test
    void ignoresUnreadableItemMessages() {
        ScriptedClient player = attacker(1);
        player.play("Eve");
        for (int id : new int[] {30, 31, 147}) {
            Writer w = new Writer(16);
            Encoding.uvarint(w, "header", id);
            w.i32le("garbage", -1);
            player.raw(Batches.pack(player.batches, w.toByteArray()));
        }
        player.n.network.run(SECOND);
        assertThat(player.kicked()).isFalse();
        assertThat(player.n.counters.get("bedrock.drop.ignored")).isEqualTo(3);
        isServed(player.n);
    }
}
