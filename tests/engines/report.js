// Sends what a page found out, or why it could not, to the server it came from.
export async function report(work) {
  const found = await work().catch((error) => ({ failure: `${error}\n${error.stack}` }));
  await fetch("/report", { method: "POST", body: JSON.stringify(found) });
}
