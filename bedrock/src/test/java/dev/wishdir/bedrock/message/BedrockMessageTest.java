package dev.wishdir.bedrock.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.bedrock.message.InventoryMessage.Transaction.UseItem;
import dev.wishdir.bedrock.message.PlayerAuthInput.BlockAction;
import dev.wishdir.bedrock.message.PlayerAuthInput.Input;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.WireLaws.Walk;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

public class BedrockMessageTest {
    private static final Bytes SOME = Bytes.ofHex("00017f80ff");
    private static final UUID ID = new UUID(0x0123456789ABCDEFL, 0xFEDCBA9876543210L);
    private static final Vec3f PLACE = new Vec3f(1.5f, -0f, 3.4028235e38f);
    private static final Vec2f TURN = new Vec2f(-90, 180);

    static Nbt.Compound everyTag() {
        Map<String, Nbt> tags = new LinkedHashMap<>();
        tags.put("byte", new Nbt.ByteTag(-128));
        tags.put("short", new Nbt.ShortTag(-32768));
        tags.put("int", new Nbt.IntTag(Integer.MIN_VALUE));
        tags.put("long", new Nbt.LongTag(Long.MAX_VALUE));
        tags.put("float", new Nbt.FloatTag(0.1f));
        tags.put("double", new Nbt.DoubleTag(0.1));
        tags.put("bytes", new Nbt.ByteArrayTag(SOME));
        tags.put("text", new Nbt.StringTag("ä"));
        tags.put("list", new Nbt.ListTag(Nbt.INT, List.of(new Nbt.IntTag(1), new Nbt.IntTag(2))));
        tags.put("empty", new Nbt.ListTag(0, List.of()));
        tags.put("compound", new Nbt.Compound(Map.of("inner", new Nbt.ByteTag(1))));
        tags.put("ints", new Nbt.IntArrayTag(List.of(1, -1)));
        tags.put("longs", new Nbt.LongArrayTag(List.of(1L, -1L)));
        return new Nbt.Compound(tags);
    }

    private static Skin skin() {
        Skin.Image image = new Skin.Image(1, 1, Bytes.ofHex("01020304"));
        return new Skin(
                "id",
                "fab",
                "{}",
                image,
                List.of(new Skin.Animation(image, 1, 2, 3)),
                Skin.Image.BLANK,
                "null",
                "0.0.0",
                "",
                "cape",
                "full",
                "slim",
                "#0",
                List.of(new Skin.Piece("a", "b", 0, "c", true, "d")),
                List.of(new Skin.Tint("a", List.of("#1", "#2"))),
                true,
                false,
                true,
                false,
                true);
    }

    private static PlayerAuthInput input(long input) {
        return new PlayerAuthInput(
                TURN,
                PLACE,
                new Vec2f(1, -1),
                5,
                input,
                0,
                Bytes.EMPTY,
                1,
                2,
                1,
                TURN,
                Vec3f.ZERO,
                Long.MAX_VALUE,
                PLACE,
                false,
                false,
                Bytes.EMPTY,
                (input & Input.BLOCK_ACTIONS) != 0
                        ? List.of(
                                new BlockAction(0, new BlockPos(-1, 2, 3), 4),
                                new BlockAction(5, BlockPos.ZERO, 0))
                        : List.of(),
                (input & Input.IN_VEHICLE) != 0 ? Optional.of(TURN) : Optional.empty(),
                (input & Input.IN_VEHICLE) != 0 ? Optional.of(-7L) : Optional.empty(),
                new Vec2f(0.5f, 0.25f),
                new Vec3f(0, 1, 0),
                Vec2f.ZERO);
    }

    static List<BedrockMessage> messages() {
        List<Metadata> metadata =
                List.of(
                        new Metadata(0, new Metadata.OfByte(-1)),
                        new Metadata(1, new Metadata.OfShort(-1)),
                        new Metadata(2, new Metadata.OfInt(-1)),
                        new Metadata(3, new Metadata.OfFloat(1)),
                        new Metadata(4, new Metadata.OfText("n")),
                        new Metadata(5, new Metadata.OfNbt(everyTag())),
                        new Metadata(6, new Metadata.OfPosition(new BlockPos(1, -2, 3))),
                        new Metadata(7, new Metadata.OfLong(Long.MIN_VALUE)),
                        new Metadata(8, new Metadata.OfVector(PLACE)));
        ActorMessage.Properties properties =
                new ActorMessage.Properties(
                        List.of(new ActorMessage.IntProperty(1, -2)),
                        List.of(new ActorMessage.FloatProperty(3, 4)));
        List<BedrockMessage> messages = new ArrayList<>();
        messages.add(new LoginMessage.RequestNetworkSettings(-1));
        messages.add(new LoginMessage.NetworkSettings(256, 0xFFFF, true, 255, 0.5f));
        messages.add(new LoginMessage.Login(748, SOME));
        messages.add(new LoginMessage.ServerToClientHandshake("a.b.c"));
        messages.add(new ModalForm.ModalFormRequest(7, "{\"type\":\"custom_form\"}"));
        messages.add(new ModalForm.ModalFormResponse(7, Optional.of("[\"x\"]"), Optional.empty()));
        messages.add(new ModalForm.ModalFormResponse(300, Optional.empty(), Optional.of(1)));
        messages.add(new CommandRequest("/say hello", Bytes.EMPTY));
        messages.add(LoginMessage.ClientToServerHandshake.BLANK);
        messages.add(new LoginMessage.PlayStatus(3));
        messages.add(new LoginMessage.Disconnect(-5, false, "why", "f"));
        messages.add(new LoginMessage.Disconnect(5, true, "", ""));
        messages.add(new LoginMessage.Transfer("host", 65535, true, Optional.empty()));
        messages.add(new LoginMessage.NetworkStackLatency(Long.MIN_VALUE, true));
        messages.add(
                new PackMessage.ResourcePacksInfo(
                        true,
                        false,
                        true,
                        false,
                        List.of(),
                        false,
                        new UUID(0, 0),
                        "",
                        List.of(
                                new PackMessage.Pack(
                                        ID.toString(),
                                        "1",
                                        -1,
                                        "k",
                                        "s",
                                        "c",
                                        true,
                                        false,
                                        true,
                                        "u")),
                        List.of()));
        messages.add(
                new PackMessage.ResourcePackStack(
                        true,
                        List.of(new PackMessage.StackedPack("a", "b", "c")),
                        List.of(),
                        "*",
                        List.of(new PackMessage.Experiment("e", true)),
                        true,
                        false));
        messages.add(
                new PackMessage.ResourcePackClientResponse(
                        2, List.of(new PackMessage.PackName("x_1"))));
        messages.add(new PackMessage.ClientCacheStatus(true));
        messages.add(
                new WorldMessage.ItemRegistry(
                        List.of(new WorldMessage.Item("i", 0, false, 0, everyTag()))));
        messages.add(new WorldMessage.BiomeDefinitionList(everyTag(), List.of(), List.of()));
        messages.add(new WorldMessage.AvailableActorIdentifiers(Nbt.EMPTY));
        messages.add(new WorldMessage.RequestChunkRadius(-1, 255));
        messages.add(new WorldMessage.ChunkRadiusUpdated(8));
        messages.add(
                new WorldMessage.NetworkChunkPublisherUpdate(
                        new BlockPos(-1, -2, 3), 64, List.of(new WorldMessage.ChunkPos(-1, 1))));
        messages.add(new WorldMessage.UpdateBlock(new BlockPos(1, 2, -3), -5, 3, 1));
        messages.add(
                new WorldMessage.BlockActorData(
                        new BlockPos(1, 2, -3),
                        new Nbt.Compound(Map.of("Base", new Nbt.IntTag(4)))));
        messages.add(
                new WorldMessage.SpawnParticle(1, -1, new Vec3f(1, 2, 3), "p", Optional.of("v")));
        messages.add(new WorldMessage.SetTime(-1));
        messages.add(new WorldMessage.SetLocalPlayerAsInitialized(-1));
        messages.add(new WorldMessage.ServerboundLoadingScreen(1, true, 0xFFFFFFFFL));
        messages.add(new WorldMessage.ServerboundLoadingScreen(2, false, 0));
        messages.add(new MovementMessage.MoveActorAbsolute(300, 7, PLACE, 0, 128, 255));
        for (int flags : new int[] {0, 0x3F, 0x1FF, 1, 2, 4, 8, 16, 32}) {
            messages.add(
                    new MovementMessage.MoveActorDelta(
                            5,
                            flags,
                            (flags & 1) != 0 ? 1.5f : 0,
                            (flags & 2) != 0 ? 2.5f : 0,
                            (flags & 4) != 0 ? 3.5f : 0,
                            (flags & 8) != 0 ? 64 : 0,
                            (flags & 16) != 0 ? 128 : 0,
                            (flags & 32) != 0 ? 192 : 0,
                            0));
        }
        messages.add(new MovementMessage.SetActorMotion(1, PLACE, 2));
        messages.add(
                new MovementMessage.CorrectPlayerMovePrediction(
                        0, PLACE, PLACE, Vec2f.ZERO, false, 0, true, 9));
        messages.add(
                new MovementMessage.CorrectPlayerMovePrediction(
                        1, PLACE, PLACE, TURN, true, 2, false, 9));
        messages.add(new MovementMessage.SetMovementAuthority(2));
        messages.add(
                new MovementMessage.PlayerAction(1, 30, new BlockPos(1, -2, 3), BlockPos.ZERO, -1));
        messages.add(new MovementMessage.Respawn(PLACE, 1, 3));
        messages.add(MovementMessage.Animate.swing(5));
        messages.add(new MovementMessage.Animate(128, 5, 0, 0.5f, Optional.empty()));
        AbilityMessage.UpdateAbilities abilities =
                new AbilityMessage.UpdateAbilities(
                        -1,
                        2,
                        3,
                        List.of(
                                new AbilityMessage.AbilityLayer(
                                        1, 0xFFFFFFFFL, 0x3F, 0.05f, 1, 0.1f)));
        messages.add(abilities);
        messages.add(
                new ActorMessage.AddPlayer(
                        ID,
                        "n",
                        5,
                        "p",
                        PLACE,
                        PLACE,
                        1,
                        2,
                        3,
                        ActorMessage.HeldItem.NOTHING,
                        1,
                        metadata,
                        properties,
                        abilities,
                        List.of(new ActorMessage.Link(1, -2, 1, true, false, 0.5f)),
                        "d",
                        7));
        messages.add(new ActorMessage.RemoveActor(-5));
        messages.add(
                new ActorMessage.AddItemActor(
                        -7,
                        7,
                        ItemStack.of(262, 3, 0),
                        new Vec3f(1, 2, 3),
                        Vec3f.ZERO,
                        metadata,
                        true));
        messages.add(new ActorMessage.TakeItemActor(7, 9));
        messages.add(
                new ActorMessage.PlayerList(
                        0,
                        List.of(
                                new ActorMessage.ListedPlayer(
                                        ID,
                                        3,
                                        "n",
                                        "x",
                                        "p",
                                        7,
                                        skin(),
                                        true,
                                        "",
                                        true,
                                        false,
                                        true,
                                        ActorMessage.ListedPlayer.WHITE))));
        messages.add(
                new ActorMessage.PlayerList(1, List.of(ActorMessage.ListedPlayer.removed(ID))));
        messages.add(
                new AbilityMessage.UpdateAttributes(
                        1,
                        List.of(
                                new AbilityMessage.Attribute(
                                        0,
                                        1,
                                        2,
                                        3,
                                        4,
                                        5,
                                        "a",
                                        List.of(
                                                new AbilityMessage.Modifier(
                                                        "i", "n", 1, 2, 3, true)))),
                        7));
        messages.add(new ActorMessage.SetActorData(1, metadata, properties, 3));
        messages.add(new LevelChunk(-2, 3, 0, 5, Optional.empty(), false, SOME));
        messages.add(
                new LevelChunk(-2, 3, 0, LevelChunk.REQUEST_LIMITED, Optional.of(9), false, SOME));
        for (int mode = 0; mode <= 3; mode++) {
            messages.add(
                    new MovePlayer(
                            -1,
                            PLACE,
                            TURN,
                            7,
                            mode,
                            true,
                            300,
                            mode == MovePlayer.TELEPORT ? 3 : 0,
                            mode == MovePlayer.TELEPORT ? 63 : 0,
                            -1));
        }
        messages.add(input(0));
        messages.add(input(Input.BLOCK_ACTIONS | Input.IN_VEHICLE | 1L << 57));
        messages.add(
                new Text(Text.CHAT, false, "who", "what", List.of(), "x", "p", Optional.of("f")));
        messages.add(new Text(2, true, "", "what", List.of("a", "b"), "", "", Optional.of("")));
        messages.add(new Text(Text.RAW, false, "", "what", List.of(), "", "", Optional.of("")));
        return messages;
    }

    /** A version's walk over any message with its header. */
    public static Walk<BedrockMessage> walk(BedrockCodec codec) {
        return (w, message) -> {
            if (w instanceof Writer writer) {
                codec.write(writer, message);
                return message;
            }
            return codec.read((Reader) w);
        };
    }

    @ParameterizedTest
    @MethodSource("messages")
    void holdsTheLaws(BedrockMessage message) {
        WireLaws.hold(
                message,
                Unknown.wire(new Reader(SOME), new Unknown(0, SOME)),
                walk(BedrockCodec.V748));
    }

    @Test
    void holdsLawsForWorld() {
        BedrockMessage blank = new Unknown(0, Bytes.EMPTY);
        StartGame start = StartGame.BLANK;
        List<WorldMessage.Item> items = ItemPalette.of(BedrockCodec.V748);
        StartGame small =
                new StartGame(
                        5,
                        7,
                        1,
                        PLACE,
                        TURN,
                        start.settings(),
                        0,
                        false,
                        "l",
                        "n",
                        "t",
                        true,
                        2,
                        40,
                        true,
                        9,
                        1,
                        List.of(new StartGame.BlockProperty("b", everyTag())),
                        items.subList(0, 3),
                        "c",
                        true,
                        "v",
                        everyTag(),
                        -1,
                        ID,
                        true,
                        true,
                        false,
                        true,
                        false,
                        Optional.empty(),
                        new StartGame.Identities("s", "w", "c", ""));
        WireLaws.hold(small, blank, walk(BedrockCodec.V748));
        WireLaws.holdToTheEnd(
                new WorldMessage.CreativeContent(0, 3, SOME), blank, walk(BedrockCodec.V748));
        WireLaws.holdToTheEnd(new Unknown(300, SOME), blank, walk(BedrockCodec.V748));
        assertThat(items).hasSize(1748);
    }

    @Test
    void holdsLawsForFixedNbt() {
        WireLaws.hold(everyTag(), Nbt.EMPTY, (w, m) -> Nbt.wire(w, "nbt", m, Nbt.Flavour.FIXED));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, 63, 64, -64, -65, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void readsVariableLengthNumbersBack(int value) {
        Writer w = new Writer(40);
        Encoding.varint(w, "a", value);
        Encoding.uvarint(w, "b", value);
        Encoding.varlong(w, "c", value * 0x100000001L);
        Encoding.uvarlong(w, "d", value * 0x100000001L);
        Reader r = new Reader(w.toByteArray());
        assertThat(Encoding.varint(r, "a", 0)).isEqualTo(value);
        assertThat(Encoding.uvarint(r, "b", 0)).isEqualTo(value);
        assertThat(Encoding.varlong(r, "c", 0)).isEqualTo(value * 0x100000001L);
        assertThat(Encoding.uvarlong(r, "d", 0)).isEqualTo(value * 0x100000001L);
        byte[] endless = Bytes.ofHex("ffffffffffffffffffffff").toArray();
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> Encoding.uvarint(new Reader(endless), "a", 0));
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> Encoding.uvarlong(new Reader(endless), "a", 0));
    }

    @Test
    void refusesFaceThatItsByteWouldCut() {
        Dialect recoded = Dialect.OLDEST.with(ProtocolChange.TRANSACTION_RECODED);
        assertThat(face(-1, recoded)).isEqualTo(255);
        assertThat(face(255, recoded)).isEqualTo(255);
        assertThat(face(-2, Dialect.OLDEST)).isEqualTo(-2);
        for (int cut : new int[] {-2, 256}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> face(cut, recoded))
                    .withMessage("face is " + cut + ", must be 0..255");
        }
    }

    /** The face that a use is read with after it was written. */
    private static int face(int face, Dialect d) {
        UseItem use =
                new UseItem(
                        0,
                        0,
                        BlockPos.ZERO,
                        face,
                        0,
                        0,
                        ItemStack.AIR,
                        Vec3f.ZERO,
                        Vec3f.ZERO,
                        0,
                        0,
                        0);
        Writer w = new Writer(200);
        UseItem.wire(w, use, d);
        return UseItem.wire(new Reader(w.toBytes()), UseItem.BLANK, d).face();
    }
}
