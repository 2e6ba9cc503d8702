package dev.wishdir.game.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How operator commands are read, and which players they mean. */
class OperatorConsoleTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    private final Arena arena = new Arena(Level.BOX, 16);
    private final List<String> dismissed = new ArrayList<>();
    private final List<List<Ban>> kept = new ArrayList<>();
    private Instant time = NOW;
    private final OperatorConsole console =
            new OperatorConsole(
                    arena,
                    new SharedArena(
                            new SimulatedNetwork(1).cycle(), arena, ArenaCatalog.FLAT, List.of()),
                    new Bans(() -> time, BanList.EMPTY, list -> kept.add(list.get().bans())),
                    "");

    OperatorConsoleTest() {
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.KickRequested e) {
                dismissed.add(e.player().name() + ": " + e.reason().text());
            }
        });
    }

    private record From(ConnectionInfo connectionInfo, Proof proof) implements Viewer {
        @Override
        public void onMovement(List<Player> movers) {}

        @Override
        public void onEvent(ArenaEvent event) {}
    }

    private Player join(String name, String address, String account) {
        ConnectionInfo origin =
                new ConnectionInfo(new InetSocketAddress(InetAddress.ofLiteral(address), 1), "");
        return arena.join(0, "quake3", name, new From(origin, Proof.account(account))).snapshot();
    }

    private Player joinBedrock(String name) {
        return arena.join(0, "bedrock", name, new From(ConnectionInfo.UNKNOWN, Proof.UNKNOWN))
                .snapshot();
    }

    private String order(String line) {
        return console.execute(0, console.author("test"), line);
    }

    @Test
    void namesPlayedMap() {
        arena.setLevel(Level.of(ArenaCatalog.shipped("hall")));
        arena.setLevel(0, "quake3", new Level("oa_dm1", Level.BOX.bounds()));
        join("ann", "10.0.0.1", "");
        assertThat(order("status")).startsWith("map: oa_dm1, 1 of 16 players\n");
        arena.setLevel(0, "bedrock", Level.of(ArenaCatalog.shipped("hall")));
        assertThat(order("status")).startsWith("map: hall, 1 of 16 players; quake3 plays oa_dm1\n");
    }

    @Test
    void showsAndReturnsFlags() {
        assertThat(order("flag")).contains("The match has no flags");
        Level hall = Level.of(ArenaCatalog.shipped("hall"));
        arena.setLevel(hall);
        arena.setMatchRules(MatchRules.of(MatchMode.CTF));
        From viewer = new From(ConnectionInfo.UNKNOWN, Proof.UNKNOWN);
        ArenaPlayer ann = arena.join(0, "quake3", "ann", viewer);
        assertThat(order("flag")).isEqualTo("red flag at home, blue flag at home");
        ann.combatant().beginLife(0, new Vitals(100, 0, 0), ArmourRule.EXACT);
        ann.spawn(0, Movement.at(hall.bases().orElseThrow().blue().flag(), 0));
        ann.move(0, ann.snapshot().movement(), NativeMovement.Stored.NONE);
        assertThat(order("match"))
                .contains("red flag at home, blue flag with ann")
                .contains("0 points, 0 captures, 0 deaths: ann");
        assertThat(order("status")).endsWith("\nred flag at home, blue flag with ann");
        assertThat(order("flag throw")).startsWith("flag [return [red|blue]]: ");
        assertThat(order("flag return green")).startsWith("Nothing done: there is no flag 'green'");
        assertThat(order("flag take")).startsWith("flag [return [red|blue]]: ");
        assertThat(order("flag return red")).contains("blue flag with ann");
        ann.combatant().die(0);
        assertThat(order("flag")).contains("blue flag dropped, home in 20 s");
        assertThat(order("flag return")).isEqualTo("red flag at home, blue flag at home");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kick ann | ann: You were kicked.",
                "KICK Ann too loud | ann: You were kicked: too loud",
                "kick 1 | ann: You were kicked.",
                "kick #1 \"a b\" | ann: You were kicked: a b",
                "kick big bob go away | Big Bob: You were kicked: go away",
                "kick \"Big Bob\" go | Big Bob: You were kicked: go",
                "kick ann \"bye\" for now | ann: You were kicked: \"bye\" for now",
                "kick ann \"bye\"bye | ann: You were kicked: \"bye\"bye",
                "kick bob | Big Bob: You were kicked.",
                "kick Bjorn | Björn: You were kicked.",
                "kick 4 | seven: You were kicked.",
                "kick \"3\" | 3: You were kicked.",
                "kick say 'hi' bye | say \"hi\": You were kicked: bye",
            })
    @DisplayName("players players match number, by name, or by a part that only one has")
    void findsPlayerByNumberNameOrPart(String line, String gone) {
        join("ann", "192.0.2.1", "");
        join("Big Bob", "192.0.2.2", "");
        join("Björn", "192.0.2.3", "");
        join("seven", "192.0.2.4", "");
        join("3", "192.0.2.5", "");
        join("say \"hi\"", "192.0.2.6", "");
        order(line);
        assertThat(dismissed).containsExactly(gone);
    }

    @ParameterizedTest
    @CsvSource({
        "Аnn, the Cyrillic capital A",
        "\uFF21nn, full width",
        "A\uFE0Fnn, a variation selector",
        "A\u3164nn, a Hangul filler",
        "A\u2800nn, a blank of Braille",
        "A\uDB40\uDD00nn, a variation selector of the supplement",
        "[B] Ann, the sign of a game",
        "[B]Ann, the sign of a game",
    })
    @DisplayName("R13: no player is taken for another, and a command does not meet the wrong one")
    void resolvesNameToShownPlayer(String lookAlike, String how) {
        joinBedrock("Ann");
        Player second = join(lookAlike, "192.0.2.2", "");
        assertThat(second.name()).as(how).endsWith("(2)").doesNotContain("\uFE0F", "\u3164");
        order("kick Ann");
        assertThat(dismissed).containsExactly("Ann: You were kicked.");
    }

    @Test
    @DisplayName("R13: an order for a name that looks like a player's meets this player")
    void resolvesLookAlikeNameToItsPlayer() {
        join("Аnna", "192.0.2.1", "");
        assertThat(join("Anna", "192.0.2.2", "").name()).isEqualTo("Anna(2)");
        order("kick anna cheats");
        assertThat(dismissed).containsExactly("Аnna: You were kicked: cheats");
    }

    @Test
    @DisplayName("R13: where a game shows two names alike, the operator is asked for a number")
    void asksForNumberOfLookAlikes() {
        join("Björn", "192.0.2.1", "");
        join("Bjorn", "192.0.2.2", "");
        assertThat(order("kick Bjorn"))
                .isEqualTo("2 players match Bjorn: Björn (1), Bjorn (2); give a number.");
        assertThat(order("ban Bjorn cheats")).contains("give a number");
        assertThat(order("name Bjorn Dave")).contains("give a number");
        assertThat(dismissed).isEmpty();
    }

    @Test
    void keepsPlayersOfAmbiguousName() {
        join("anna", "192.0.2.1", "");
        join("hanna", "192.0.2.2", "");
        assertThat(order("kick ann"))
                .isEqualTo("2 players match ann: anna (1), hanna (2); give a number.");
        assertThat(order("kick x")).isEqualTo("No player is called x.");
        assertThat(order("kick 7")).isEqualTo("No player is called 7.");
        assertThat(order("kick")).isEqualTo("kick PLAYER [REASON]: kick a player");
        assertThat(order("kick \"ann")).contains("No player");
        assertThat(dismissed).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ban ann | 192.0.2.1,xuid:99 forever \"test\" \"ann\" \"\"",
                "ban ann 30m | 192.0.2.1,xuid:99 2026-11-22T12:30:00Z \"test\" \"ann\" \"\"",
                "ban ann 2w rude | 192.0.2.1,xuid:99 2026-12-06T12:00:00Z \"test\" \"ann\""
                        + " \"rude\"",
                "ban ann forever rude | 192.0.2.1,xuid:99 forever \"test\" \"ann\" \"rude\"",
                "ban ann 5 apples | 192.0.2.1,xuid:99 forever \"test\" \"ann\" \"5 apples\"",
                "ban 198.51.100.0/24 1d a \"b\" | 198.51.100.0/24 2026-11-23T12:00:00Z"
                        + " \"test\" \"\" \"a \\\"b\\\"\"",
                "ban 2001:db8::/32 | 2001:db8::/32 forever \"test\" \"\" \"\"",
                "ban xuid:77 7d | xuid:77 2026-11-29T12:00:00Z \"test\" \"\" \"\"",
            })
    @DisplayName("a ban of a player is of address and account; of an address or range just that")
    void bansByAddressAndAccount(String line, String ban) {
        join("ann", "192.0.2.1", "xuid:99");
        assertThat(order(line)).startsWith("Banned: ");
        assertThat(kept.getLast()).extracting(Ban::line).containsExactly(ban);
        assertThat(Ban.parse(ban)).isEqualTo(kept.getLast().getFirst());
    }

    @Test
    void kicksAllBannedPlayersAndExpires() {
        join("ann", "192.0.2.1", "");
        join("bea", "192.0.2.9", "");
        join("cis", "192.0.3.1", "xuid:1");
        assertThat(order("ban 192.0.2.0/24 2h noise")).endsWith("\nKicked: ann, bea");
        assertThat(dismissed)
                .containsExactly(
                        "ann: You are banned until 2026-11-22 14:00 UTC: noise",
                        "bea: You are banned until 2026-11-22 14:00 UTC: noise");
        InetAddress bea = InetAddress.ofLiteral("192.0.2.9");
        assertThat(console.bans().find("quake3", bea, "")).isPresent();
        time = NOW.plusSeconds(7200);
        assertThat(console.bans().find("quake3", bea, "")).isEmpty();
        assertThat(order("bans")).isEqualTo("There are no bans.");
        order("ban xuid:1");
        assertThat(dismissed).last().isEqualTo("cis: You are banned.");
        assertThat(console.bans().find("quake3", bea, "xuid:1")).isPresent();
        assertThat(order("unban 2")).contains("No ban matches 2");
        assertThat(order("unban 1")).isEqualTo("Unbanned: xuid:1");
        assertThat(kept.getLast()).extracting(Ban::targets).containsExactly("192.0.2.0/24");
    }

    @Test
    void keepsBansWhenClockJumpsAhead() {
        InetAddress ann = InetAddress.ofLiteral("192.0.2.1");
        order("ban 192.0.2.1 2h");
        time = NOW.plusSeconds(1_000_000_000);
        assertThat(console.bans().find("quake2", ann, "")).isEmpty();
        order("ban xuid:1");
        time = NOW.plusSeconds(60);
        assertThat(console.bans().find("quake2", ann, "")).isPresent();
        order("ban xuid:2");
        assertThat(kept.getLast())
                .extracting(Ban::targets)
                .containsExactly("192.0.2.1", "xuid:1", "xuid:2");

        time = NOW.plusSeconds(3 * 3600);
        order("ban xuid:3");
        time = NOW.plusSeconds(28 * 3600);
        order("ban xuid:4");
        assertThat(kept.getLast()).extracting(Ban::targets).doesNotContain("192.0.2.1").hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.7:27960 | 192.0.2.7",
                "[2001:db8::7]:27960 | 2001:db8::7",
                "[2001:db8::7] | 2001:db8::7",
                "2001:db8::7 | 2001:db8::7",
                "0:0:0:0:0:0:0:1%0:27960 | ::1",
                "fe80::1%eth0 | fe80::1",
                "[2001:db8::]/32 | 2001:db8::/32"
            })
    void bansAndUnbansLoggedAddress(String address, String ban) {
        assertThat(order("ban " + address)).isEqualTo("Banned: " + ban + " forever by test");
        assertThat(order("unban " + address)).isEqualTo("Unbanned: " + ban);
    }

    @Test
    void keepsFewUnsharedBansForSomeTime() {
        List<BanList> lists = new ArrayList<>();
        Bans bans = new Bans(() -> time, BanList.EMPTY, list -> lists.add(list.get()));
        Ban first = Ban.parse("10.0.0.1 forever");
        bans.addUnshared(first);
        bans.addUnshared(Ban.parse("10.0.0.1 forever \"\" \"\" \"\" quake3"));
        time = NOW.plusSeconds(60);
        bans.addUnshared(first);
        assertThat(lists.getLast().unshared())
                .extracting(UnsharedBan::line)
                .containsExactly(
                        "unshared 2026-11-22T12:00:00Z 10.0.0.1 quake3",
                        "unshared 2026-11-22T12:01:00Z 10.0.0.1");
        bans.removeUnshared("10.0.0.1", "quake3");
        bans.removeUnshared("10.0.0.1", "quake3");
        assertThat(lists).hasSize(4);
        assertThat(bans.unshared()).hasSize(1);
        for (int i = 0; i < Bans.MAX_UNSHARED; i++) {
            bans.addUnshared(Ban.parse("10.1." + i / 256 + "." + i % 256 + " forever"));
        }
        assertThat(bans.unshared()).hasSize(Bans.MAX_UNSHARED);
        assertThat(bans.unshared().getFirst().targets()).isEqualTo("10.1.0.0");
        assertThat(new Bans(() -> time, lists.getLast(), _ -> {}).unshared())
                .isEqualTo(bans.unshared());
        time = time.plus(Bans.MAX_UNSHARED_TIME);
        assertThat(bans.unshared()).isEmpty();
        assertThat(bans.add(first)).isTrue();
        assertThat(lists.getLast()).isEqualTo(new BanList(List.of(first)));
    }

    @Test
    void kicksPlayersOfReloadedBans() {
        join("ann", "192.0.2.1", "");
        order("ban 192.0.3.0/24");
        console.replaceBans(0, new BanList(List.of(Ban.parse("192.0.2.0/24 forever"))));
        assertThat(dismissed).containsExactly("ann: You are banned.");
        assertThat(order("bans")).contains("192.0.2.0/24").doesNotContain("192.0.3.0/24");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ban 10.0.0.1/8 | is not a network",
                "ban 10.0.0.999 | is not an address",
                "ban 10.0.0.0/33 | needs a prefix length 0..32",
                "ban ann 0m | is not a ban duration",
                "ban ann 999999w | is not a ban duration",
                "ban nobody 5m | No player is called nobody.",
                "unban | unban NUMBER",
                "name ann | name PLAYER NAME",
                "map | map NAME",
                "map nowhere | Arena 'nowhere' can't be played here. Arenas: flat",
                "map map:nowhere | Arena 'nowhere' can't be played here. Arenas: flat",
                "say | say TEXT",
                "quit smoking | quit: shut the server down",
                "bans x | bans: list the bans",
                "map flat hall | Arena 'flat hall' can't be played here",
            })
    void reportsMistakesAndDoesNothing(String line, String told) {
        join("ann", "192.0.2.1", "");
        assertThat(order(line)).contains(told);
        assertThat(kept).isEmpty();
        assertThat(dismissed).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            delimiter = '|',
            value = {
                "say \"Anna\" joined from Discord | Sent to all: \"Anna\" joined from Discord",
                "say \"Anna\" | Sent to all: Anna",
                "say Anna \"x\" | Sent to all: Anna \"x\"",
                "say \"Anna | Sent to all: Anna",
                "ban 10.0.0.5 \"a\" x | Banned: 10.0.0.5 forever by test: \"a\" x",
            })
    @DisplayName("R20 text beside quotation marks is not lost")
    void keepsTextBesideQuotes(String line, String answer) {
        assertThat(order(line)).isEqualTo(answer);
    }

    @Test
    void listsCommandsInOrderOfHelp() {
        List<String> words = OperatorCommand.values().stream().map(OperatorCommand::word).toList();
        assertThat(words).doesNotHaveDuplicates().startsWith("status").endsWith("help");
        assertThat(order("")).isEqualTo(String.join(", ", words));
        assertThat(order("help").lines())
                .hasSameSizeAs(words)
                .contains(
                        "ban PLAYER|ADDRESS|RANGE [TIME] [REASON] - ban a player or addresses,"
                                + " for a time such as 30m, 4h, 7d or 2w, or for good");
        assertThat(order("match team"))
                .endsWith(" The mode is set when the server starts: --match.");
    }

    @Test
    void describesOneCommand() {
        for (OperatorCommand command : OperatorCommand.values()) {
            assertThat(order("help " + command.word()))
                    .isEqualTo(command.usage() + ": " + command.help());
        }
        assertThat(order("HELP Flag return")).startsWith("flag [return [red|blue]]: ");
        assertThat(order("help me")).isEqualTo(order("me")).startsWith("There is no command 'me'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"match team", "status all", "quit now", "pause 5", "bans x"})
    void refusesArgumentOfCommandThatTakesNone(String line) {
        boolean[] quit = new boolean[1];
        console.onQuit(() -> quit[0] = true);
        String[] words = line.split(" ");
        assertThat(order(line))
                .startsWith(
                        "Nothing done: "
                                + words[0]
                                + " takes no argument, and was given '"
                                + words[1]
                                + "'. "
                                + words[0]
                                + ": ");
        assertThat(quit[0]).isFalse();
    }

    @Test
    @DisplayName("an operator's line can't bring control characters to anybody")
    void removesControlCharactersFromCommands() {
        join("ann", "192.0.2.1", "");
        order("kick ann a\u0007b\u001B[2J\u202E");
        assertThat(dismissed.getFirst()).isEqualTo("ann: You were kicked: a b [2J");
    }

    private OperatorConsole.Author author(Player player, Rights rights) {
        return console.author(player.name(), rights, "key a@b", player.id());
    }

    @ParameterizedTest
    @CsvSource({
        "MASTER, 'ann, victim'",
        "AUTH, 'ann, master, victim'",
        "ADMIN, 'ann, auth, master, victim'",
    })
    @DisplayName("a ban leaves its author, and those who have no lower rights, behind one address")
    void bansOnlyWhomAuthorOutranks(Rights rights, String gone) {
        Player kicker = join("kicker", "192.0.2.1", "");
        join("ann", "192.0.2.1", "");
        for (Rights each : List.of(Rights.MASTER, Rights.AUTH, Rights.ADMIN)) {
            Player player = join(each.name().toLowerCase(Locale.ROOT), "192.0.2.1", "");
            console.setRights(player.id(), each);
        }
        Player victim = join("victim", "192.0.2.1", "");
        join("far", "192.0.2.2", "");
        OperatorConsole.Author by = author(kicker, rights);
        String answer = console.ban(0, by, victim, Duration.ofHours(4), "noise");
        assertThat(names(dismissed)).hasToString("[" + gone + "]");
        assertThat(answer)
                .contains("by kicker with key a@b: noise")
                .contains("\nNot kicked, as they have rights here: kicker");

        dismissed.clear();
        order("ban 198.51.100.7");
        console.replaceBans(0, new BanList(console.bans().all()));
        assertThat(dismissed).as("a ban is applied once").isEmpty();
    }

    private static List<String> names(List<String> kicked) {
        return kicked.stream().map(it -> it.split(":", 2)[0]).sorted().toList();
    }

    @Test
    void bansNamedPlayerWhateverItsRights() {
        Player boss = join("boss", "192.0.2.1", "");
        console.setRights(boss.id(), Rights.ADMIN);
        Player other = join("other", "192.0.2.1", "");
        console.setRights(other.id(), Rights.ADMIN);
        console.execute(0, author(other, Rights.ADMIN), "ban boss");
        assertThat(names(dismissed)).containsExactly("boss");
    }

    @Test
    void bansEverybodyFromTerminal() {
        Player boss = join("boss", "192.0.2.1", "");
        console.setRights(boss.id(), Rights.ADMIN);
        join("ann", "192.0.2.1", "");
        assertThat(order("ban 192.0.2.1")).endsWith("\nKicked: boss, ann");
    }

    @Test
    void kicksPlayerThatGaveUpItsRights() {
        Player boss = join("boss", "192.0.2.1", "");
        Player ann = join("ann", "192.0.2.2", "");
        console.setRights(ann.id(), Rights.ADMIN);
        console.setRights(ann.id(), Rights.NONE);
        console.execute(0, author(boss, Rights.MASTER), "ban 192.0.2.2");
        assertThat(names(dismissed)).containsExactly("ann");
    }

    @Test
    void namesAuthorOfBanOnce() {
        List<String> log = new ArrayList<>();
        console.addListener(done -> log.add(done.identity() + " " + done.what()));
        console.execute(
                0, author(join("ann", "192.0.2.1", ""), Rights.ADMIN), "ban 192.0.2.7 1h x");
        console.applyBan(0, "cluster", Ban.parse("192.0.2.8 forever \"console at b\""));
        console.banPlayer(
                0,
                join("bob", "192.0.2.2", ""),
                new OtherServers.BanTerms(Optional.empty(), "console at b", "rude", ""));
        order("unban 192.0.2.7");
        assertThat(log)
                .containsExactly(
                        "ann with key a@b banned 192.0.2.7 until 2026-11-22 13:00 UTC: x",
                        "cluster banned 192.0.2.8 forever by console at b",
                        "console at b banned 192.0.2.2 (bob) forever: rude",
                        "test unbanned 192.0.2.7");
        assertThat(order("bans"))
                .isEqualTo(
                        "  1 192.0.2.8 forever by console at b\n"
                                + "  2 192.0.2.2 (bob) forever by console at b: rude");
    }

    @Test
    void appliesBanOfOtherServerOnce() {
        console.applyBan(0, "cluster", Ban.parse("192.0.2.8 2026-11-22T13:00:00Z"));
        console.applyBan(0, "cluster", Ban.parse("192.0.2.8 2026-11-22T13:00:00.9Z"));
        assertThat(kept).hasSize(1);
        console.applyBan(0, "cluster", Ban.parse("192.0.2.8 2026-11-22T13:00:01Z"));
        console.applyBan(0, "cluster", Ban.parse("192.0.2.8 forever"));
        console.applyBan(0, "cluster", Ban.parse("192.0.2.8 forever"));
        console.applyBan(0, "cluster", Ban.parse("192.0.2.9 2026-11-22T12:00:00Z"));
        assertThat(kept).hasSize(3);
    }

    @Test
    void keepsPlayersWithRightsFromBanOfOtherServer() {
        Player boss = join("boss", "192.0.2.1", "");
        console.setRights(boss.id(), Rights.MASTER);
        join("ann", "192.0.2.1", "");
        console.applyBan(0, "cluster", Ban.parse("192.0.2.1 forever \"console at b\""));
        assertThat(names(dismissed)).containsExactly("ann");
    }

    @Test
    void provesRconPasswordOfPlayer() {
        ArenaPlayer ann = arena.player(join("ann", "192.0.2.1", "").id()).orElseThrow();
        join("bob", "192.0.2.1", "");
        OperatorConsole.Author by =
                console.rconAuthor(
                        0,
                        new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1),
                        Optional.of(ann),
                        (_, _) -> "");
        console.execute(0, by, "ban bob");
        assertThat(names(dismissed)).containsExactly("bob");
        assertThat(arena.find(ann.id()).orElseThrow().proof()).isEqualTo(Proof.ADMIN_PASSWORD);
        assertThat(kept.getLast().getFirst().author())
                .isEqualTo("rcon 192.0.2.1:1 with admin-password");
    }
}
