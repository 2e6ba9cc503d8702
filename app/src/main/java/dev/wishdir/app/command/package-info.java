/** Parts that the commands share: options, failures, and messages about wrong usage. */
@NullMarked
package dev.wishdir.app.command;

import org.jspecify.annotations.NullMarked;
