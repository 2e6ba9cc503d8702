package dev.wishdir.app.analysis;

import com.google.gson.Gson;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.terminal.Columns;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.MovementLimits;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.game.Game;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** {@code judge}: validates recorded movements again, with other limits. */
@Command(
        name = "judge",
        sortOptions = false,
        description = {
            "Validate the movements of recordings as a server does, with the same or other limits,"
                    + " and print what breaks a rule now, next to what broke one then.",
            "Movements are judged of games whose clients decide where they are, touches of flags of"
                    + " all games."
        })
public final class JudgeCommand implements Callable<Integer> {
    private static final Gson GSON = new Gson();

    private final List<Game> games;

    @Spec private CommandSpec spec;

    @Mixin private RecordingInput input = new RecordingInput();

    @Mixin private PlayerFilter filter = new PlayerFilter();

    @Option(
            names = "--allow",
            paramLabel = "[GAME.]RULE=VALUE",
            converter = ChangedLimit.Converter.class,
            description =
                    "Another limit: distance (m ahead of the speed), speed (m/s), jump-height (m),"
                            + " air-time (s). Can be repeated.")
    private List<ChangedLimit> changes = List.of();

    @Option(names = "--json", description = "Print JSON lines.")
    private boolean json;

    private long judged;

    /** Numbers of violations of a rule. */
    private static final class Count {
        private int now;
        private int then;
        private int both;
    }

    public JudgeCommand(List<Game> games) {
        this.games = games;
    }

    @Override
    public Integer call() throws CommandFailedException {
        Map<String, MovementLimits> limits = limits();
        Map<ViolationRule, Count> counts = new EnumMap<>(ViolationRule.class);
        input.read(
                spec.commandLine().getErr(),
                (name, recording, events) -> read(name, recording, events, limits, counts));
        filter.check();
        PrintWriter out = spec.commandLine().getOut();
        if (judged == 0 && counts.isEmpty()) {
            throw new CommandFailedException(
                    "no movement was judged: there are none of "
                            + String.join(" or ", limits.keySet())
                            + ", the games whose clients decide where they are, and no touches of"
                            + " flags");
        }
        if (!json) {
            counts.forEach((rule, count) ->
                    out.printf(
                            Locale.ROOT,
                            "%s: %d now, %d then, %d of them both%n",
                            rule,
                            count.now,
                            count.then,
                            count.both));
            if (counts.isEmpty()) {
                out.println("no violations");
            }
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private Map<String, MovementLimits> limits() {
        Map<String, MovementLimits> limits = new TreeMap<>();
        for (Game game : games) {
            game.movementLimits().ifPresent(its -> limits.put(game.name(), its));
        }
        for (ChangedLimit change : changes) {
            if (!change.game().isEmpty() && !limits.containsKey(change.game())) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(),
                        "--allow: '"
                                + change.game()
                                + "' is not a game with limits; there are "
                                + String.join(", ", limits.keySet()));
            }
            limits.replaceAll((game, old) ->
                    change.concerns(game) ? change.limit().apply(old, change.value()) : old);
        }
        return limits;
    }

    private static Optional<BlockArena> arena(Recording recording, PrintWriter err)
            throws IOException {
        Optional<String> text = recording.arenaText();
        if (text.isEmpty()) {
            err.println("the recording has no arena: walls and heights are not checked");
            return Optional.empty();
        }
        try {
            return Optional.of(ArenaText.read(text.get()));
        } catch (MalformedArenaException e) {
            err.println(
                    "the recording's arena is malformed, walls are not checked: " + e.getMessage());
            return Optional.empty();
        }
    }

    private void read(
            String name,
            Recording recording,
            EventCursor events,
            Map<String, MovementLimits> limits,
            Map<ViolationRule, Count> counts)
            throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        RecordedMovementValidator validator =
                new RecordedMovementValidator(
                        limits, arena(recording, err), events.state().levels());
        RecordedFlagJudge flags = new RecordedFlagJudge(events.state().flags());
        events.state().players().values().forEach(filter::note);
        ViolationPairs pairs = new ViolationPairs(entry -> print(name, recording, entry, counts));
        while (events.next()) {
            ArenaEvent event = events.event();
            pairs.advance(event.time());
            if (event instanceof ArenaEvent.OfPlayer of) {
                filter.note(of.player());
            }
            if (event instanceof ArenaEvent.Moved moved
                    && filter.includes(moved.player())
                    && validator.judges(moved.player())) {
                judged++;
            }
            Optional<RecordedMovementValidator.Finding> found =
                    validator.validate(event).or(() -> flags.validate(event));
            if (found.isPresent() && filter.includes(found.get().player())) {
                pairs.add(found.get(), true);
            }
            if (event instanceof ArenaEvent.MovementViolation then
                    && filter.includes(then.player())) {
                pairs.add(
                        new RecordedMovementValidator.Finding(
                                then.time(),
                                then.player(),
                                then.rule(),
                                then.measured(),
                                then.allowed()),
                        false);
            }
        }
        pairs.end();
        judged += flags.judged();
    }

    private void print(
            String name,
            Recording recording,
            ViolationPairs.Entry entry,
            Map<ViolationRule, Count> counts) {
        RecordedMovementValidator.Finding finding = entry.finding();
        Count count = counts.computeIfAbsent(finding.rule(), _ -> new Count());
        count.now += entry.now() ? 1 : 0;
        count.then += entry.then() ? 1 : 0;
        count.both += entry.now() && entry.then() ? 1 : 0;
        double elapsed = (finding.time() - recording.startNanos()) / 1e9;
        Player player = finding.player();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("recording", name);
            line.put("time", BigDecimal.valueOf(finding.time() / 1000, 6));
            line.put("elapsed", elapsed);
            line.put("node", player.id().node());
            line.put("player", player.id().number());
            line.put("game", player.game());
            line.put("name", player.name());
            line.put("rule", finding.rule().toString());
            line.put("measured", finding.measured());
            line.put("allowed", finding.allowed());
            line.put("now", entry.now());
            line.put("then", entry.then());
            out.println(GSON.toJson(line));
        } else {
            out.printf(
                    Locale.ROOT,
                    "%s %.3f s: %s, %s: %s (%s)%n",
                    name,
                    elapsed,
                    Columns.plain(player.toString()),
                    finding.rule(),
                    finding.rule().describe(finding.measured(), finding.allowed()),
                    !entry.then() ? "now only" : entry.now() ? "now and then" : "then only");
        }
    }
}
