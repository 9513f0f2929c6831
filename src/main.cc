#include "driver/session.h"

int main(int argc, char** argv) { return espalier::driver::run(argc, argv); }
