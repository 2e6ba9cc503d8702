package dev.wishdir.game.operator;

import dev.wishdir.net.limit.AddressRange;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The commands for the ban list. */
final class BanCommands {
    private BanCommands() {}

    static final class BanCommand extends OperatorCommand {
        private static final Duration MAX_DURATION = Duration.ofDays(36_525);

        private static final Pattern ADDRESS =
                Pattern.compile(
                        "(?=.*\\.)[0-9.]+(/[^,]*)?"
                                + "|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[^/,]*)?]?(/[^,]*)?");

        BanCommand() {
            super(
                    "ban",
                    "PLAYER|ADDRESS|RANGE [TIME] [REASON]",
                    "ban a player or addresses, for a time such as 30m, 4h, 7d or 2w, or for good");
        }

        @Override
        String execute(Context context) {
            BanEnforcer enforcer = context.console().enforcer;
            CommandReader reader = context.reader();
            String author = context.by().identity();
            String target = AddressRange.withoutPort(reader.peek());
            boolean isAddress = ADDRESS.matcher(target).matches();
            try {
                if (!reader.isQuoted() && (isAddress || Ban.isAccount(target))) {
                    reader.word();
                    Ban ban = Ban.of(target, end(context), author, "", reader.text(), "");
                    return enforcer.ban(context.now(), context.by(), ban, Optional.empty());
                }
                return context.select(player -> {
                    var terms = new OtherServers.BanTerms(end(context), author, reader.text(), "");
                    return enforcer.ban(context.now(), context.by(), player, terms);
                });
            } catch (IllegalArgumentException e) {
                return String.valueOf(e.getMessage());
            }
        }

        /**
         * The end of the ban, by the duration at the front of the rest; empty for never. Any other
         * word belongs to the reason.
         */
        private static Optional<Instant> end(Context context) {
            CommandReader reader = context.reader();
            String word = reader.isQuoted() ? "" : CommandReader.lower(reader.peek());
            if (word.equals("forever")) {
                reader.word();
                return Optional.empty();
            }
            if (!word.matches("[0-9]{1,9}[smhdw]")) {
                return Optional.empty();
            }
            long number = Long.parseLong(word.substring(0, word.length() - 1));
            Duration time =
                    switch (word.charAt(word.length() - 1)) {
                        case 's' -> Duration.ofSeconds(number);
                        case 'm' -> Duration.ofMinutes(number);
                        case 'h' -> Duration.ofHours(number);
                        case 'd' -> Duration.ofDays(number);
                        default -> Duration.ofDays(7 * number);
                    };
            if (time.isZero() || time.compareTo(MAX_DURATION) > 0) {
                throw new IllegalArgumentException(
                        "'" + word + "' is not a ban duration: use 30m, 4h, 7d, 2w or forever");
            }
            reader.word();
            return Optional.of(context.console().bans().now().plus(time));
        }
    }

    static final class UnbanCommand extends OperatorCommand {
        UnbanCommand() {
            super("unban", "NUMBER|ADDRESS|RANGE|ACCOUNT|NAME", "remove a ban");
        }

        @Override
        String execute(Context context) {
            boolean quoted = context.reader().isQuoted();
            String word = context.reader().text();
            int number = quoted ? 0 : CommandReader.number(word).orElse(0);
            Bans bans = context.console().bans();
            List<Ban> all = number > 0 ? bans.all() : List.of();
            List<Ban> removed =
                    number > 0 && number <= all.size()
                            ? List.of(all.get(number - 1))
                            : bans.named(word);
            if (removed.isEmpty()) {
                return "No ban matches " + word + ". The command bans lists them.";
            }
            context.console().enforcer.unban(removed);
            List<String> targets = removed.stream().map(Ban::targets).toList();
            targets.forEach(each -> context.report("unbanned " + each));
            return "Unbanned: " + String.join(", ", targets);
        }
    }

    static final class BansCommand extends OperatorCommand {
        BansCommand() {
            super("bans", "", "list the bans, with numbers for unban");
        }

        @Override
        String execute(Context context) {
            List<Ban> all = context.console().bans().all();
            if (all.isEmpty()) {
                return "There are no bans.";
            }
            return IntStream.range(0, all.size())
                    .mapToObj(i ->
                            String.format(Locale.ROOT, "%3d %s", i + 1, all.get(i).description()))
                    .collect(Collectors.joining("\n"));
        }
    }
}
