/** Metrics, health and the watch over memory. */
@NullMarked
package dev.wishdir.app.serve.metrics;

import org.jspecify.annotations.NullMarked;
