/** Black-box tests against the real games and the walls between the rooms; not shipped. */
@NullMarked
package dev.wishdir.interop;

import org.jspecify.annotations.NullMarked;
