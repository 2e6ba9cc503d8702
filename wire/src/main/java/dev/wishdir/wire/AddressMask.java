package dev.wishdir.wire;

import java.util.regex.Pattern;

/**
 * A mask of the addresses and accounts of players in a text, wherever they stand in it: in the name
 * of an operator, in a ban, in what a library reports.
 */
public final class AddressMask {
    private static final String HIDDEN = "(hidden)";

    private static final Pattern ACCOUNT = Pattern.compile("\\bxuid:\\w+");

    private static final Pattern IPV4 =
            Pattern.compile(
                    "(?<![\\w.])(?:[0-9]{1,3}[.]){3}[0-9]{1,3}(?:/[0-9]{1,2})?(?::[0-9]{1,5})?"
                            + "(?![\\w]|[.][0-9])");

    /** With two colons side by side, or with seven of them: not a time such as 12:30:00. */
    private static final Pattern IPV6 =
            Pattern.compile(
                    "(?<![\\w:.])\\[?(?=[0-9a-fA-F:.]*::|(?:[0-9a-fA-F]{1,4}:){6,7}[0-9a-fA-F])"
                        + "[0-9a-fA-F:.]{2,45}(?<![.])(?:%\\w{1,16})?(?:/[0-9]{1,3})?(?:]:[0-9]{1,5})?"
                        + "(?![\\w])");

    private AddressMask() {}

    /** A text in which {@code (hidden)} stands for each address and account. */
    public static String hide(String text) {
        String masked = ACCOUNT.matcher(text).replaceAll(HIDDEN);
        masked = IPV6.matcher(masked).replaceAll(HIDDEN);
        return IPV4.matcher(masked).replaceAll(HIDDEN);
    }
}
