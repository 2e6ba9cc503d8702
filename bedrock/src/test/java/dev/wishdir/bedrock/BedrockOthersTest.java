package dev.wishdir.bedrock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.wishdir.arena.Player;
import dev.wishdir.bedrock.HostileBedrockTest.Attacker;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.game.SilentViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** What a client of this game is told of the players of all games. */
class BedrockOthersTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    private final BedrockNetwork n =
            BedrockNetwork.with(1, s -> s.maxPlayers(20).adminPassword("boss"));
    private int port = 7000;

    private Attacker player(String name) {
        Attacker player = new Attacker(n, port++);
        player.play(name);
        return player;
    }

    private Player other(String game, String name) {
        Player other = n.arena.join(n.network.now(), game, name, new SilentViewer());
        n.arena.spawn(n.network.now(), other.id(), Movement.at(new Vec3(1, 2, 0), 0));
        n.network.run(SECOND / 10);
        return other;
    }

    private static List<ListedPlayer> listed(Attacker viewer) {
        return viewer.all(PlayerList.class).stream()
                .flatMap(list -> list.entries().stream())
                .toList();
    }

    @Test
    void eachEntryOfThePlayerListComesOnce() {
        player("Early");
        other("quake2", "Grunt");
        Attacker viewer = player("Viewer");
        other("quake3", "Sarge");
        player("Late");
        n.network.run(SECOND);
        assertThat(listed(viewer))
                .extracting(ListedPlayer::name)
                .containsExactlyInAnyOrder("Viewer", "Early", "Grunt", "Sarge", "Late");
        assertThat(viewer.all(AddPlayer.class))
                .extracting(AddPlayer::name)
                .containsExactlyInAnyOrder("Early", "Grunt", "Sarge", "Late");
        assertThat(listed(viewer).stream().map(ListedPlayer::uuid)).doesNotHaveDuplicates();
    }

    @Test
    void playersOfOtherGamesWearTheColourOfTheirGame() {
        Attacker viewer = player("Viewer");
        other("quake2", "Grunt");
        other("quake3", "Sarge");
        n.network.run(SECOND);
        assertThat(listed(viewer))
                .filteredOn(entry -> entry.name().equals("Grunt"))
                .extracting(entry -> entry.skin().image())
                .containsExactly(Figures.of("quake2", "Grunt").image());
        assertThat(listed(viewer))
                .filteredOn(entry -> entry.name().equals("Sarge"))
                .extracting(entry -> entry.skin().image())
                .containsExactly(Figures.of("quake3", "Sarge").image());
    }

    @Test
    void whatOthersSayAndAreCalledIsShownWordForWord() {
        Attacker viewer = player("Viewer");
        Player odd = other("quake3", "\u00A7cEvil%item.apple.name");
        viewer.heard.clear();
        for (String said : List.of("\u00A7kx", "%gui.exit", "/kick Viewer", "a\nb", "^1\"q\" 5%")) {
            n.arena.say(n.network.now(), odd.id(), said);
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
        return tuple("Evil\uFF05item.apple.name", text);
    }

    @Test
    void theEntryOfTheServerListCountsEveryone() {
        player("Ann");
        other("quake2", "Grunt");
        other("quake3", "Sarge");
        List<String> motds = new ArrayList<>();
        InetSocketAddress browser = RakNetNetwork.address(9, 9);
        n.network.tap((_, _, to, data) -> {
            if (to.equals(browser)
                    && OfflineMessage.read(new Reader(data), true)
                            instanceof OfflineMessage.UnconnectedPong pong) {
                motds.add(pong.motd());
            }
        });
        n.network.inject(
                browser,
                n.endpoint.address(),
                WireLaws.write(
                        new OfflineMessage.UnconnectedPing(false, 1, 2),
                        OfflineMessage.UnconnectedPing::wire));
        n.network.run(SECOND);
        assertThat(motds)
                .singleElement()
                .satisfies(motd ->
                        assertThat(List.of(motd.split(";", -1)).subList(4, 6))
                                .containsExactly("3", "22"));
    }
}
