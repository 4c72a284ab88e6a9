/* What mypyc lacks for classes that say ``acyclic``, whose values the collector does not know.

   Where values are let go of from within fifty others, Python before 3.14 puts off the next one, and notes it in what its
   collector has in front of each value that it knows. mypyc has Python do so for all its classes. A value that the
   collector does not know has nothing there, and what it holds leads to no fifty others, so it is let go of at once. */

#include <Python.h>

#ifdef Py_TRASHCAN_BEGIN_CONDITION
#undef Py_TRASHCAN_BEGIN
#define Py_TRASHCAN_BEGIN(op, dealloc) \
    Py_TRASHCAN_BEGIN_CONDITION((op), PyType_IS_GC(Py_TYPE(op)) && _PyTrash_cond((PyObject *)(op), (destructor)(dealloc)))
#endif
