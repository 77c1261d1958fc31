// Which of the faults in a model is on (verif/rtl/conditions.py): the number in SAKER_FAULT, 0 without.

#include <cstdlib>

extern "C" int saker_fault() {
  const char* which = std::getenv("SAKER_FAULT");
  return which ? std::atoi(which) : 0;
}
