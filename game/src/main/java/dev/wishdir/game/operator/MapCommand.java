package dev.wishdir.game.operator;

/** A change of the arena, or of the map of one game that shares none. */
final class MapCommand extends OperatorCommand {
    /** A name may be written as for {@code --arena}: {@code map:q2dm1}. */
    private static final String PREFIX = "map:";

    MapCommand() {
        super("map", "NAME", "play another arena, in all games");
    }

    @Override
    String execute(Context context) {
        String text = context.reader().text();
        String name = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
        context.report("requested the map " + name);
        return context.by().maps().change(context.now(), name);
    }
}
