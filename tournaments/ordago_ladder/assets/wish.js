// @ts-check
// The form in which a person chooses what to play.
(() => {
  "use strict";

  const players = /** @type {HTMLSelectElement | null} */ (document.getElementById("players"));

  const seats = () => {
    const number = Number(players?.value);
    for (const choice of document.querySelectorAll("[data-opponent]")) {
      const beyond = Number(choice.getAttribute("data-opponent")) >= number;
      const label = choice.closest("label");
      label?.toggleAttribute("hidden", beyond);
      const role = /** @type {HTMLElement | null | undefined} */ (label?.querySelector("[data-roles]"));
      if (role && !beyond) role.textContent = JSON.parse(role.dataset.roles ?? "")[number];
    }
    for (const seat of /** @type {NodeListOf<HTMLOptionElement>} */ (document.querySelectorAll("#seat option"))) {
      seat.hidden = seat.disabled = Number(seat.value) > number;
      if (seat.disabled && seat.selected) seat.selected = false;
    }
  };

  // Whoever comes back from a table has to be told of it.
  addEventListener("pageshow", (event) => event.persisted && location.reload());

  players?.addEventListener("change", seats);
  if (players) seats();

  // Who sets an option wants to play by it.
  for (const option of document.querySelectorAll('[name^="option-"]')) {
    option.addEventListener("input", () => {
      const set = /** @type {HTMLInputElement | null} */ (document.querySelector('input[name="length"][value="set"]'));
      if (set) set.checked = true;
    });
  }
})();
