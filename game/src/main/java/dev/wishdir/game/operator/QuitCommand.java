package dev.wishdir.game.operator;

/** The end of the server. */
final class QuitCommand extends OperatorCommand {
    QuitCommand() {
        super("quit", "", "shut the server down");
    }

    @Override
    String execute(Context context) {
        context.report("shut down the server");
        context.console().quit();
        return "The server shuts down.";
    }
}
