package dev.wishdir.app.serve.file;

import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.BanList;
import dev.wishdir.game.operator.UnsharedBan;

import java.util.ArrayList;
import java.util.List;

/**
 * The format of the file of bans: one {@link Ban#line} each, besides empty lines, comments ({@code
 * #}), and what a cluster {@linkplain UnsharedBan#line does not have} yet.
 */
public final class BanFile implements StateFile.Format<BanList> {
    private static final String HEAD =
            """
            # Bans. Wishdir rewrites this file at each ban. Before you edit it, stop the server; or send it SIGHUP
            # afterwards. Each line is: ADDRESS[,ADDRESS|ACCOUNT…] END "AUTHOR" "NAME" "REASON",
            # where END is forever or a time such as 2030-01-31T12:00:00Z.
            """;

    private static final String UNSHARED =
            """
            # Changed here, and not stored by the cluster yet: unshared SINCE ADDRESS[,ADDRESS|ACCOUNT…]. What has no line of
            # its own above was removed.
            """;

    @Override
    public BanList parse(String text) {
        List<Ban> bans = new ArrayList<>();
        List<UnsharedBan> unshared = new ArrayList<>();
        StateFile.forEachLine(
                text,
                line -> {
                    if (UnsharedBan.isLine(line)) {
                        unshared.add(UnsharedBan.parse(line));
                    } else {
                        bans.add(Ban.parse(line));
                    }
                });
        return new BanList(bans, unshared);
    }

    @Override
    public String text(BanList list) {
        StringBuilder text = new StringBuilder(HEAD);
        list.bans().forEach(ban -> text.append(ban.line()).append('\n'));
        if (!list.unshared().isEmpty()) {
            text.append(UNSHARED);
            list.unshared().forEach(ban -> text.append(ban.line()).append('\n'));
        }
        return text.toString();
    }
}
