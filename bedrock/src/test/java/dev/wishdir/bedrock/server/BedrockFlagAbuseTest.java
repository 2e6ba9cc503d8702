package dev.wishdir.bedrock.server;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Team;
import dev.wishdir.bedrock.combat.Hotbar;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryAction;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackRequest;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackResponse;
import dev.wishdir.bedrock.message.InventoryMessage.MobArmour;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.FlagBanner;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.game.RemoteFlag.State;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

/** What a client may not do with the banner in its hot bar, beside an honest player. */
@Tag("slow")
class BedrockFlagAbuseTest {
    private static final int DROP = 3;
    private static final int PLACE = 1;
    private static final int HOTBAR = 28;

    private FlagNetwork flags;
    private FlagNetwork.Walker honest;
    private ScriptedClient mallory;

    @BeforeEach
    void carry() {
        carry(BedrockCodec.V748);
    }

    /** Mallory stands on the flag of the other team, and has it. */
    private void carry(BedrockCodec codec) {
        flags = new FlagNetwork(2);
        honest = flags.walker("anna", 748);
        mallory = new ScriptedClient(flags.n, 7000, codec);
        mallory.play("mallory");
        Vec3 here = flags.player("mallory").snapshot().movement().position();
        Vec3 away = FlagNetwork.BLUE_HOME.plus(new Vec3(0, 3, 0));
        FlagBases.Base red = new FlagBases.Base(here, List.of());
        FlagBases.Base blue = new FlagBases.Base(away, List.of());
        FlagBases bases = new FlagBases(red, blue);
        flags.n.arena.setLevel(
                flags.n.network.now(),
                "bedrock",
                flags.n.arena.level("bedrock").withBases(Optional.of(bases)));
        flags.player("mallory")
                .move(
                        flags.n.network.now(),
                        flags.player("mallory").snapshot().movement(),
                        NativeMovement.Stored.NONE);
        flags.n.network.run(SECOND);
        assertThat(flags.changes).containsExactly("red taken touch mallory");
    }

    private List<ItemStack> inventory() {
        return mallory.all(InventoryContent.class).stream()
                .filter(content -> content.window() == Hotbar.WINDOW)
                .toList()
                .getLast()
                .items();
    }

    private ItemStack banner() {
        return mallory.all(InventorySlot.class).getLast().item();
    }

    private InventoryTransaction drop(int slot, ItemStack stack) {
        return new InventoryTransaction(
                0,
                Optional.empty(),
                List.of(
                        new InventoryAction(
                                2, Optional.empty(), Optional.of(0), 0, ItemStack.AIR, stack),
                        new InventoryAction(
                                0,
                                Optional.of(Hotbar.WINDOW),
                                Optional.empty(),
                                slot,
                                stack,
                                ItemStack.AIR)),
                new Transaction.Normal());
    }

    private static ItemStackRequest request(int action, int slot, int netId) {
        // One action: its type, a number, a container without a number, the slot, the net id.
        int zigzag = netId << 1;
        byte[] rest = {
            1,
            (byte) action,
            1,
            HOTBAR,
            0,
            (byte) slot,
            (byte) (zigzag & 0x7F | 0x80),
            (byte) (zigzag >> 7),
            0,
            0,
            0,
            0,
            0,
            0
        };
        return new ItemStackRequest(1, -3, Bytes.wrap(rest));
    }

    private int netId() {
        return banner().netId().orElseThrow();
    }

    private void assertKept(BedrockMessage... messages) {
        for (BedrockMessage message : messages) {
            mallory.send(message);
            flags.n.network.run(SECOND);
        }
        assertThat(flags.changes).hasSize(1);
        assertThat(flags.flag(Team.RED).carrier()).contains(flags.player("mallory").id());
        assertThat(honest.flag(Team.RED).state()).isEqualTo(State.CARRIED);
    }

    @Test
    void dropsBannerOfSlotByTransaction() {
        assertThat(mallory.all(InventorySlot.class).getLast().slot()).isEqualTo(Hotbar.FLAG_SLOT);
        assertThat(banner().metadata()).isEqualTo(1);
        mallory.send(drop(Hotbar.FLAG_SLOT, banner()));
        flags.n.network.run(SECOND);
        assertThat(flags.changes).last().isEqualTo("red dropped key mallory");
        assertThat(inventory().get(Hotbar.FLAG_SLOT)).isEqualTo(ItemStack.AIR);
    }

    @ParameterizedTest
    @ValueSource(ints = {748, 975, 2193})
    void dropsBannerOfSlotByRequest(int protocol) {
        carry(BedrockCodec.of(protocol).orElseThrow());
        mallory.send(request(DROP, Hotbar.FLAG_SLOT, netId()));
        flags.n.network.run(SECOND);
        assertThat(flags.changes).last().isEqualTo("red dropped key mallory");
    }

    @Test
    void dropsFlagByCommand() {
        mallory.send(new CommandRequest("/drop", Bytes.EMPTY));
        mallory.send(new CommandRequest("/drop", Bytes.EMPTY));
        flags.n.network.run(SECOND);
        assertThat(flags.changes)
                .containsExactly("red taken touch mallory", "red dropped key mallory");
    }

    @Test
    @DisplayName("L11 another item thrown away as if it were the flag drops no flag")
    void keepsFlagWhenAnotherItemIsDropped() {
        ItemStack sword = inventory().getFirst();
        ItemStack other = FlagBanner.stack(BedrockCodec.V748, Team.BLUE, netId());
        assertKept(
                drop(0, sword),
                drop(0, banner()),
                drop(Hotbar.FLAG_SLOT, sword),
                drop(Hotbar.FLAG_SLOT, other),
                request(DROP, 0, netId()),
                request(PLACE, Hotbar.FLAG_SLOT, netId()));
    }

    @Test
    @DisplayName("L11 a banner with another net id, or one that was dropped, drops no flag")
    void keepsFlagWhenNetIdIsAnother() {
        ItemStack copy = FlagBanner.stack(BedrockCodec.V748, Team.RED, netId() + 1);
        assertKept(drop(Hotbar.FLAG_SLOT, copy), request(DROP, Hotbar.FLAG_SLOT, netId() + 1));
    }

    @Test
    @DisplayName("L11 a banner is dropped once, however often a client throws it away")
    void dropsBannerOnce() {
        InventoryTransaction drop = drop(Hotbar.FLAG_SLOT, banner());
        for (int i = 0; i < 5; i++) {
            mallory.send(drop);
        }
        flags.n.network.run(SECOND);
        assertThat(flags.changes).hasSize(2);
    }

    @Test
    @DisplayName("L11 armour that a client wears by itself is not shown to others")
    void ignoresBannerThatClientWears() {
        mallory.send(
                new MobArmour(
                        mallory.id(),
                        FlagBanner.stack(BedrockCodec.V748, Team.BLUE, 0),
                        ItemStack.AIR,
                        ItemStack.AIR,
                        ItemStack.AIR,
                        ItemStack.AIR));
        mallory.send(request(PLACE, Hotbar.FLAG_SLOT, netId()));
        flags.n.network.run(SECOND);
        assertThat(mallory.all(ItemStackResponse.class).getLast().status()).isNotZero();
        assertThat(honest.flag(Team.BLUE).carrier()).isEqualTo(-1);
        assertThat(honest.flag(Team.RED).state()).isEqualTo(State.CARRIED);
    }

    @Test
    @DisplayName("L14 a player whose name has the mark of carriers is shown without it")
    void showsNamesWithoutMark() {
        flags.foreign("eve\u2691");
        assertThat(honest.client.others()).anyMatch(other -> other.name().endsWith("eve"));
    }
}
