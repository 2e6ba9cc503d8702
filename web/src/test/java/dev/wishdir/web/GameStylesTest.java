package dev.wishdir.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class GameColoursTest {
    @Test
    void namesGamesAndTheirColours() {
        GameColours colours =
                new GameColours(
                        List.of(
                                new GameColours.Colours("golf", 0x7FD962, 0x2F7D12, 0x0000FF),
                                new GameColours.Colours("chess", 1, 2, 3)));
        assertThat(colours.css())
                .startsWith(":root { --games: golf chess; }\n")
                .contains(":root { --golf: #7fd962; --body-golf: #0000ff; }")
                .contains(":root.light { --golf: #2f7d12; }")
                .contains(".chess { color: var(--chess); }");
    }
}
