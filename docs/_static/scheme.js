// The scheme that the reader chose, before anything is shown.
"use strict";
document.body.dataset.theme = localStorage.getItem("theme") || "auto";
