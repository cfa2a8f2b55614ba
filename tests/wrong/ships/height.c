/* Wrong: the header is read as height and width. The rest is the right program. */
#include <stdio.h>

#define CHOSEN(format, one, two, name, ...) name
#define scanf(...) CHOSEN(__VA_ARGS__, HEADER, SQUARE)(__VA_ARGS__)
#define HEADER(format, width, height) scanf(format, height, width)
#define SQUARE(format, square) scanf(format, square)
#include "../../../problems/ships/src/package/right.c"
