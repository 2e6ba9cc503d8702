package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReassemblyBudgetTest {
    private final ReassemblyBudget budget = new ReassemblyBudget(1000);

    @BeforeEach
    void open() {
        budget.open();
    }

    @Test
    void boundsPartsAndWholeMessages() {
        assertThat(budget.reserve(1000, 600)).isTrue();
        assertThat(budget.reserve(1000, 401)).isFalse();
        assertThat(budget.reserve(1001, 1)).isFalse();
        assertThat(budget.bytes()).isEqualTo(600);
        assertThat(budget.fits(400)).isTrue();
        budget.release(600);
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void countsEachRiseFromZero() {
        int before = budget.generation();
        budget.reserve(1, 1);
        budget.reserve(1, 1);
        assertThat(budget.generation()).isEqualTo(before + 1);
        budget.release(2);
        budget.reserve(1, 1);
        assertThat(budget.generation()).isEqualTo(before + 2);
    }

    @Test
    void ignoresReleaseAfterClose() {
        budget.reserve(10, 10);
        budget.close();
        budget.release(10);
        assertThat(budget.bytes()).isZero();
    }
}
