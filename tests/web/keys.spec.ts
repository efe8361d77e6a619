// The article by keys alone: panels that are still empty places are reached, wake, and hand the focus on.

import { expect, test } from "@playwright/test";
import { panels } from "./student.js";

test("Tab alone reaches every panel in order", async ({ page }) => {
  await page.goto("./");
  await expect(page.locator("poslab-checklist")).toHaveAttribute("role", "group");
  const where = () => page.evaluate(() => /^poslab-(.*)$/.exec(document.activeElement?.localName ?? "")?.[1]);
  const reached: string[] = [];
  for (let i = 0; i < 1500 && reached.at(-1) !== "checklist"; ++i) {
    await page.keyboard.press("Tab");
    const name = await where();
    if (name === undefined || name === reached.at(-1)) continue;
    reached.push(name);
    const panel = page.locator(`poslab-${name}`);
    await expect(panel.locator("figure").first()).toBeVisible();
    // Its first control has the focus, and the place itself is no stop any more.
    await expect(panel).not.toHaveAttribute("tabindex");
    await expect.poll(() => panel.evaluate((host) => host.shadowRoot?.activeElement !== null), { message: name }).toBe(true);
  }
  expect(reached).toEqual(panels);
});

test("an empty panel is found by assistive technology and entered at its end from below", async ({ page }) => {
  await page.goto("./");
  await expect(page.getByRole("group", { name: "Panel derive, which loads when it is reached" })).toHaveCount(1);
  await page.locator("poslab-checklist").focus();
  await expect(page.getByRole("checkbox", { name: "say why attention without positions" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(page.locator("poslab-break summary")).toBeFocused();
  await expect(page.locator("poslab-break")).not.toHaveAttribute("role");
});
