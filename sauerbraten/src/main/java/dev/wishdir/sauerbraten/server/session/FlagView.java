package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The flags as one client knows them: by the messages of a mode with flags, or by marks. */
public final class FlagView {
    private FlagMessage.InitFlags sent = FlagMessage.InitFlags.BLANK;
    private boolean stale;

    /** The marks in the client's copy of the map, by the number of the entity. */
    private final Map<Integer, EditMessage.EditEnt> marks = new HashMap<>();

    /** The copy of the map that has them. */
    private int copy = -1;

    /** The flags as the client was sent them last. */
    public FlagMessage.InitFlags sent() {
        return sent;
    }

    public void setSent(FlagMessage.InitFlags newest) {
        sent = newest;
        stale = false;
    }

    /** Whether the client knows a flag otherwise than it is. */
    public boolean isStale() {
        return stale;
    }

    /**
     * The message that takes the flags from a client's number, which is about to be another
     * player's or none's; empty if it has none. The client learns later where they are.
     */
    Optional<FlagMessage.InitFlags> release(int cn) {
        if (sent.flags().stream().noneMatch(flag -> flag.owner() == cn)) {
            return Optional.empty();
        }
        sent =
                new FlagMessage.InitFlags(
                        sent.score1(),
                        sent.score2(),
                        sent.flags().stream()
                                .map(flag ->
                                        flag.owner() == cn
                                                ? FlagMessage.Status.atHome(flag.version())
                                                : flag)
                                .toList());
        stale = true;
        return Optional.of(sent);
    }

    /**
     * The marks that the client does not have yet.
     *
     * @param number of the client's copy of the map; another one has no marks
     * @param wanted all marks
     */
    public List<EditMessage.EditEnt> missing(int number, List<EditMessage.EditEnt> wanted) {
        if (copy != number) {
            copy = number;
            marks.clear();
        }
        List<EditMessage.EditEnt> missing = new ArrayList<>();
        for (EditMessage.EditEnt mark : wanted) {
            if (!mark.equals(marks.put(mark.ent(), mark))) {
                missing.add(mark);
            }
        }
        return missing;
    }
}
