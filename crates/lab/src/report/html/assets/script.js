// Shows the `data-tip` of what is under the pointer. Everything it shows is in a table as well.
"use strict";
(() => {
  const tip = document.getElementById("tip");
  const hide = () => { tip.hidden = true; };
  const show = (event) => {
    const text = event.target.dataset ? event.target.dataset.tip : undefined;
    if (!text) { hide(); return; }
    tip.textContent = text;
    tip.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = tip;
    const left = event.clientX + 14 + width > innerWidth ? event.clientX - width - 14 : event.clientX + 14;
    const top = event.clientY - height - 10 < 0 ? event.clientY + 16 : event.clientY - height - 10;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${top}px`;
  };
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
  document.addEventListener("scroll", hide, { passive: true });
})();
