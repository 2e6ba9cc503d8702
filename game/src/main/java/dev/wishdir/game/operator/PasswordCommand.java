package dev.wishdir.game.operator;

import java.util.Optional;

/** The password to join. */
final class PasswordCommand extends OperatorCommand {
    PasswordCommand() {
        super("password", "[TEXT]", "show or set the password to join; \"\" for none");
    }

    @Override
    String execute(Context context) {
        OperatorConsole console = context.console();
        if (context.reader().isEmpty()) {
            return console.password().isEmpty()
                    ? "No password is required to join."
                    : "A password is required to join.";
        }
        String requested = context.reader().text();
        Optional<String> problem = console.passwordProblem(requested);
        if (problem.isPresent()) {
            return problem.get();
        }
        console.setPassword(requested);
        context.report(requested.isEmpty() ? "removed the password" : "set a new password");
        return requested.isEmpty()
                ? "No password is required from now on."
                : "Players must enter this password from now on.";
    }
}
