package dev.wishdir.game.operator;

import java.util.List;

/** The control of a replayed recording. */
final class ReplayCommand extends OperatorCommand {
    ReplayCommand() {
        super(
                "replay",
                "[pause|play|seek T|speed X]",
                "show or control the replayed recording; T in seconds from its start or as 1:30");
    }

    @Override
    String execute(Context context) {
        return context.console()
                .replay()
                .map(it -> control(context, it))
                .orElse("No recording is replayed: start the server with --replay.");
    }

    private String control(Context context, OperatorConsole.Replay replay) {
        long now = context.now();
        String action = CommandReader.lower(context.reader().word());
        String value = context.reader().text();
        if (action.isEmpty()) {
            return replay.status(now);
        }
        if (List.of("pause", "play").contains(action) && !value.isEmpty()) {
            return description();
        }
        try {
            switch (action) {
                case "pause" -> replay.pause(now);
                case "play" -> replay.play(now);
                case "seek" -> replay.seek(now, RecordingTime.parse(value));
                case "speed" -> replay.setSpeed(now, RecordingTime.decimal(value));
                default -> {
                    return description();
                }
            }
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        context.report("changed the replay: " + (action + " " + value).strip());
        return replay.status(now);
    }
}
