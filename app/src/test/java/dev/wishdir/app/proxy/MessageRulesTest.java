package dev.wishdir.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.game.proxy.ProxyCodec;
import dev.wishdir.quake2.message.ClientMessage.StringCmd;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.FullFrame;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.proxy.Quake2ProxyCodec;
import dev.wishdir.quake3.message.ClientMessage.Move;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.FullSnapshot;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.message.ServerMessage.Gamestate;
import dev.wishdir.quake3.message.ServerMessage.ServerCommand;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.proxy.Quake3ProxyCodec;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.proxy.SauerbratenProxyCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class MessageRulesTest {
    private static <M> List<M> apply(ProxyCodec<M> codec, String rules, M message) {
        return MessageRules.parse(rules, codec.fields()).onMessage(Direction.S2C, message);
    }

    private static List<Quake3Message> quake3(String rules, Quake3Message message) {
        return apply(new Quake3ProxyCodec(), rules, message);
    }

    private static List<Quake2Message> quake2(String rules, Quake2Message message) {
        return apply(new Quake2ProxyCodec(), rules, message);
    }

    private static List<SauerbratenMessage> sauerbraten(String rules, SauerbratenMessage message) {
        return apply(new SauerbratenProxyCodec(), rules, message);
    }

    @Test
    void dropsMessagesWithAllFields() {
        SauerbratenMessage bad = new RelayMessage.Relayed(2, new ChatMessage.Text("bad word"));
        String rules = "# chat\n\nn_text cn=2 \"text=bad word\" drop\n";
        assertThat(sauerbraten(rules, bad)).isEmpty();
        SauerbratenMessage other = new RelayMessage.Relayed(3, new ChatMessage.Text("bad word"));
        assertThat(sauerbraten(rules, other)).containsExactly(other);
        SauerbratenMessage good = new RelayMessage.Relayed(2, new ChatMessage.Text("word"));
        assertThat(sauerbraten(rules, good)).containsExactly(good);
        SauerbratenMessage own = new ChatMessage.Text("bad word");
        assertThat(sauerbraten("N_TEXT drop", own)).isEmpty();
        assertThat(sauerbraten("N_SERVMSG drop", own)).containsExactly(own);
    }

    @Test
    void setsFieldsInOrderOfRules() {
        Pos pos = Pos.of(2, 0, 5, 6, 7, 0, 90, 0, 0, 0, 0, false);
        Pos changed =
                (Pos)
                        sauerbraten(
                                        "N_POS cn=2 set rawpos.0=8192 rawpos.1=-70000\n"
                                                + "N_POS rawpos.0=8192 set rawvel=300",
                                        pos)
                                .getFirst();
        assertThat(List.of(changed.x(), changed.y(), changed.z(), changed.rawvel()))
                .containsExactly(8_192, -70_000, 7, 300);
    }

    @Test
    void setsFieldsOfQuake3() {
        Move move =
                (Move)
                        quake3(
                                        "move set cmds.*.4=-5 cmds.1.8=3",
                                        new Move(
                                                true,
                                                List.of(Usercmd.ZERO.at(1), Usercmd.ZERO.at(2))))
                                .getFirst();
        assertThat(move.commands()).extracting(Usercmd::forward).containsExactly(-5, -5);
        assertThat(move.commands()).extracting(Usercmd::weapon).containsExactly(0, 3);
        var entity = dev.wishdir.quake3.message.EntityState.ZERO;
        FullSnapshot snapshot =
                new FullSnapshot(
                        9,
                        0,
                        Bytes.EMPTY,
                        PlayerState.ZERO,
                        new TreeMap<>(Map.of(4, entity, 5, entity)));
        FullSnapshot changed =
                (FullSnapshot)
                        quake3(
                                        "snapshot serverTime=9 ps.speed=0 set ps.speed=100"
                                                + " ps.velocity[2]=1.5 ps.stats.2=-3"
                                                + " entities.4.pos.trBase[0]=2.5"
                                                + " entities.*.eType=7",
                                        snapshot)
                                .getFirst();
        assertThat(changed.player().get(PlayerField.SPEED)).isEqualTo(100);
        assertThat(changed.player().real(PlayerField.VELOCITY_2)).isEqualTo(1.5f);
        assertThat(changed.player().get(PlayerArray.STATS, 2)).isEqualTo(-3);
        assertThat(changed.entities())
                .isEqualTo(
                        Map.of(
                                4,
                                entity.with(
                                                EntityField.POS_TR_BASE_0,
                                                Float.floatToRawIntBits(2.5f))
                                        .with(EntityField.E_TYPE, 7),
                                5,
                                entity.with(EntityField.E_TYPE, 7)));
        assertThat(
                        quake3(
                                "serverCommand \"text=print \\\"hello\\\"\" set text=x",
                                new ServerCommand(3, "print \"hello\"")))
                .containsExactly(new ServerCommand(3, "x"));
        Gamestate state = new Gamestate(0, new TreeMap<>(), List.of(), 0, 0);
        assertThat(
                        ((Gamestate)
                                        quake3("gamestate set configstrings.3=title", state)
                                                .getFirst())
                                .configstrings())
                .containsExactly(Map.entry(3, "title"));
    }

    @Test
    void setsFieldsOfQuake2() {
        var move =
                (dev.wishdir.quake2.message.Move)
                        quake2(
                                        "move set cmds.*.msec=15 cmds.2.angles.1=9",
                                        dev.wishdir.quake2.message.Move.of(
                                                7, UserCmd.ZERO, UserCmd.ZERO, UserCmd.ZERO))
                                .getFirst();
        assertThat(move.previous().cmd().msec()).isEqualTo(15);
        assertThat(move.newest().cmd().angles()).isEqualTo(new Triple(0, 9, 0));
        assertThat(move.lastFrame()).isEqualTo(7);
        FullFrame frame =
                new FullFrame(
                        3,
                        0,
                        Bytes.EMPTY,
                        dev.wishdir.quake2.message.PlayerState.ZERO,
                        new TreeMap<>(Map.of(1, EntityState.ZERO)));
        FullFrame changed =
                (FullFrame)
                        quake2(
                                        "frame frame=3 set ps.pm_flags=4 ps.origin.2=8"
                                                + " entities.1.origin.0=16 entities.2.skin=1",
                                        frame)
                                .getFirst();
        assertThat(changed.player().pmFlags()).isEqualTo(4);
        assertThat(changed.player().origin()).isEqualTo(new Triple(0, 0, 8));
        assertThat(changed.entities().values())
                .extracting(EntityState::origin)
                .containsExactly(new Triple(16, 0, 0));
        assertThat(quake2("stringcmd text=kill set \"text=say no\"", new StringCmd("kill")))
                .containsExactly(new StringCmd("say no"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "N_TXT drop | no message 'N_TXT'; allowed: N_SERVINFO",
                "N_TEXT | is not MESSAGE",
                "N_TEXT drop set text=x | is not MESSAGE",
                "N_TEXT cn drop | 'cn' is not FIELD=VALUE",
                "N_TEXT set | is not MESSAGE",
                "N_TEXT set txt=x | field 'txt' can't be set; allowed: text",
                "N_POS set rawpos.3=1 | from 0 to 2",
                "N_POS set rawroll=256 | from 0 to 255",
                "N_POS set rawroll=high | whole number",
                "N_TEXT \"text=x drop | quotation mark is not closed",
            })
    void rejectsWrongRuleWithLineAndWhatIsAllowed(String rule, String problem) {
        assertThatThrownBy(() ->
                        MessageRules.parse(
                                "# one\nN_TEXT drop\n" + rule,
                                new SauerbratenProxyCodec().fields()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line 3: ")
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource({
        "snapshot set ps.sped=1, velocity[2]",
        "snapshot set entities.4.orign=1, pos.trTime",
        "snapshot set entities.2000.eType=1, from 0 to 1022",
        "move set cmds.*.9=1, from 0 to 8",
        "move set commands.0.1=1, cmds.INDEX.FIELD",
        "download set size=1, none",
    })
    void rejectsWrongFieldOfQuake3(String rule, String allowed) {
        assertThatThrownBy(() -> MessageRules.parse(rule, new Quake3ProxyCodec().fields()))
                .hasMessageStartingWith("line 1: ")
                .hasMessageContaining(allowed);
    }
}
