package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CompressedEdit;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.Selection;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** No single player changes the arena that players of other games share. */
@Tag("slow")
class SauerbratenEditsTest {
    private static final InetSocketAddress GAME = EnetNode.address("10.0.0.1:28785");
    private static final int CRC = OgzCompiler.build(ArenaCatalog.FLAT).crc();
    private static final CompressedEdit PACKED = new CompressedEdit(9, Bytes.wrap(new byte[200]));

    private final SimulatedNetwork network = new SimulatedNetwork(8);
    private final DutyCycle cycle = network.cycle();
    private final Arena arena = new Arena(Level.BOX, 32);
    private final SharedArena sharedArena =
            new SharedArena(cycle, arena, ArenaCatalog.FLAT, List.of(ArenaCatalog.shipped("hall")));
    private final List<String> elsewhere = new ArrayList<>();
    private int players;

    private void serve(String edit, boolean shared) throws IOException {
        cycle.add(arena::advance);
        SauerbratenEndpoint.open(
                EndpointContext.builder(cycle, GAME, arena)
                        .sharedArena(sharedArena)
                        .adminPassword("orchid")
                        .options(edit.isEmpty() ? Map.of() : Map.of("edit", edit))
                        .random(new Random(9))
                        .build());
        if (shared) {
            sharedArena.enter(
                    blocks -> _ -> elsewhere.add(blocks.name()), _ -> elsewhere.add("first"));
        }
    }

    private ScriptedPlayer player(String name) {
        return new ScriptedPlayer(network, ++players, GAME).join(name);
    }

    private static List<SauerbratenMessage> edits() {
        Selection all = Selection.BLANK;
        return List.of(
                new EditMessage.EditF(all, 1, 1),
                new EditMessage.EditT(all, 3, 1, Bytes.EMPTY),
                new EditMessage.EditM(all, 4, 0),
                new EditMessage.EditEnt(3, 1, 1, 1, 3, 0, 0, 0, 0, 0),
                new EditMessage.Flip(all),
                new EditMessage.Copy(all),
                new EditMessage.Paste(all),
                new EditMessage.Rotate(all, 1),
                new EditMessage.Replace(all, 1, 2, 0, Bytes.EMPTY),
                new EditMessage.DelCube(all),
                new EditMessage.Remip(),
                new EditMessage.EditVSlot(all, 1, 1, Bytes.EMPTY),
                new EditMessage.ClientUndo(PACKED),
                new EditMessage.ClientRedo(PACKED),
                new EditMessage.ClientClipboard(PACKED),
                new EditMessage.NewMap(10),
                new EditMessage.EditVar("fog", new EditMessage.IntValue(100)),
                new EditMessage.EditMode(true));
    }

    private static List<String> told(ScriptedPlayer player) {
        return player.heard(ChatMessage.ServMsg.class).stream()
                .map(ChatMessage.ServMsg::text)
                .toList();
    }

    @Test
    @DisplayName("G1 edits of every kind change nothing for others, and are undone for their maker")
    void undoesEdits() throws IOException {
        serve("", true);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer mallory = player("mallory");
        network.run(SECOND);
        for (SauerbratenMessage edit : edits()) {
            alice.heard.clear();
            alice.relayed.clear();
            mallory.heard.clear();
            mallory.say(edit);
            network.run(12 * SECOND);
            assertThat(alice.relayed).as("%s", edit).noneMatch(line -> line.contains("Edit"));
            assertThat(alice.heard(EditMessage.class)).as("%s", edit).isEmpty();
            assertThat(told(mallory))
                    .as("%s", edit)
                    .anyMatch(line -> line.contains("can't be edited here"));
            boolean spoils =
                    !(edit instanceof EditMessage.Copy
                            || edit instanceof EditMessage.ClientClipboard
                            || edit instanceof EditMessage.EditMode);
            assertThat(mallory.heard(EditMessage.SendMap.class))
                    .as("%s", edit)
                    .hasSize(spoils ? 1 : 0);
            assertThat(mallory.heard(EditMessage.SendMap.class))
                    .allMatch(map -> Ogz.read(map.file()).crc() == CRC);
        }
        assertThat(mallory.isGone()).isFalse();
        assertThat(alice.relayed).isEmpty();
    }

    @Test
    @DisplayName("G6 a flood of edits is answered with the map once in ten seconds, and no more")
    void limitsMapAnswersToEdits() throws IOException {
        serve("off", true);
        ScriptedPlayer mallory = player("mallory");
        network.run(SECOND);
        mallory.heard.clear();
        for (int i = 0; i < 900 && !mallory.isGone(); i++) {
            mallory.say(
                    new EditMessage.Remip(), new EditMessage.NewMap(10), new EditMessage.Remip());
            network.run(SECOND / 30);
        }
        network.run(11 * SECOND);
        assertThat(mallory.isGone()).isFalse();
        assertThat(mallory.heard(EditMessage.SendMap.class)).hasSizeBetween(4, 5);
        assertThat(told(mallory)).hasSizeLessThan(8);
        // The last one comes after the last edit.
        assertThat(mallory.heard.getLast())
                .isInstanceOfAny(EditMessage.SendMap.class, ChatMessage.ServMsg.class);
    }

    @Test
    @DisplayName("G17 a map that is sent is not used, and a wrong one is corrected")
    void correctsWrongMapOnlyOfOwner() throws IOException {
        serve("", true);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer mallory = player("mallory");
        mallory.raw(2, OgzCompiler.build(ArenaCatalog.shipped("hall")).file(), true);
        network.run(SECOND);
        assertThat(told(mallory)).anyMatch(line -> line.contains("can't be edited here"));
        assertThat(told(alice)).noneMatch(line -> line.contains("sent a map"));
        alice.say(new EditMessage.GetMap());
        network.run(SECOND);
        assertThat(Ogz.read(alice.heard(EditMessage.SendMap.class).getLast().file()).crc())
                .isEqualTo(CRC);
        for (int i = 0; i < 3; i++) {
            mallory.say(new MatchMessage.MapCrc("wishdir_flat", 77));
            network.run(12 * SECOND);
        }
        assertThat(mallory.heard(EditMessage.SendMap.class)).hasSize(3);
        mallory.say(new MatchMessage.MapCrc("wishdir_flat", CRC));
        network.run(20 * SECOND);
        assertThat(mallory.heard(EditMessage.SendMap.class)).hasSize(3);
        assertThat(mallory.isGone()).isFalse();
    }

    @Test
    void allowsMastersWhenConfigured() throws IOException {
        serve("master", true);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        bob.say(new EditMessage.Remip());
        network.run(SECOND);
        assertThat(alice.relayed).isEmpty();
        assertThat(told(bob)).anyMatch(line -> line.startsWith("Only masters can edit this map"));
        String hash = PasswordHash.of(bob.cn, bob.sessionid, "orchid");
        bob.say(new AdminMessage.SetMaster(bob.cn, true, hash));
        network.run(SECOND);
        bob.say(new EditMessage.EditMode(true), new EditMessage.Remip());
        network.run(SECOND);
        assertThat(alice.relayed).anyMatch(line -> line.contains("Remip"));
    }

    @Test
    void allowsAllWhenConfiguredWithoutOtherGames() throws IOException {
        serve("all", true);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        bob.say(new EditMessage.Remip());
        network.run(SECOND);
        assertThat(alice.relayed).anyMatch(line -> line.contains("Remip"));
    }

    @Test
    void editsAndVotesFreelyWithoutOtherGames() throws IOException {
        serve("", false);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        bob.say(new EditMessage.Remip());
        network.run(SECOND);
        assertThat(alice.relayed).anyMatch(line -> line.contains("Remip"));
        alice.say(new MatchMessage.MapVote("reissen", 0));
        bob.say(new MatchMessage.MapVote("reissen", 0));
        network.run(SECOND);
        assertThat(bob.heard(MatchMessage.MapChange.class).getLast().map()).isEqualTo("reissen");
    }

    @Test
    void keepsOtherGamesOnVote() throws IOException {
        serve("all", true);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        alice.say(new AdminMessage.SetMaster(alice.cn, true, ""), new AdminMessage.MasterMode(1));
        network.run(SECOND);
        int changes = bob.heard(MatchMessage.MapChange.class).size();
        for (ScriptedPlayer voter : List.of(alice, bob)) {
            voter.say(
                    new MatchMessage.MapVote("reissen", 0),
                    new MatchMessage.MapVote("wishdir_hall", 1));
        }
        network.run(SECOND);
        assertThat(told(alice)).contains(SharedArena.REFUSAL);
        assertThat(told(bob)).contains(SharedArena.REFUSAL);
        assertThat(bob.heard(MatchMessage.MapChange.class)).hasSize(changes);
        assertThat(elsewhere).isEmpty();
    }

    @Test
    void changesMapOfAllGamesAsAdmin() throws IOException {
        serve("", true);
        ScriptedPlayer alice = player("alice");
        ScriptedPlayer bob = player("bob");
        String hash = PasswordHash.of(alice.cn, alice.sessionid, "orchid");
        alice.say(new AdminMessage.SetMaster(alice.cn, true, hash));
        network.run(SECOND);
        int life = bob.lifeseq;
        alice.say(new MatchMessage.MapVote("hall", 1));
        network.run(SECOND);
        assertThat(bob.heard(MatchMessage.MapChange.class).getLast())
                .isEqualTo(new MatchMessage.MapChange("wishdir_hall", 1, true));
        assertThat(bob.lifeseq).isEqualTo(life + 1);
        assertThat(elsewhere).containsExactly("hall");
        assertThat(arena.level("sauerbraten").name()).isEqualTo("hall");
        bob.say(new EditMessage.GetMap());
        bob.spawn();
        network.run(SECOND);
        assertThat(Ogz.read(bob.heard(EditMessage.SendMap.class).getLast().file()).crc())
                .isEqualTo(OgzCompiler.build(ArenaCatalog.shipped("hall")).crc());
        alice.say(new MatchMessage.MapVote("nowhere", 1));
        network.run(SECOND);
        assertThat(told(alice).getLast())
                .startsWith("Arena 'nowhere' can't be played here. Arenas: flat, hall");
    }

    @Test
    void checksOption() {
        assertThatThrownBy(() -> serve("perhaps", false))
                .hasMessage("option edit must be off, master or all, is 'perhaps'");
    }
}
