import type { Page } from 'playwright-core';

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const notice = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });

/** Creates a webhook in the dialog, and returns the secret that the dialog shows. */
export async function createWebhook(page: Page, url: string, events: string): Promise<string> {
  await button(page, 'Create webhook').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Platform').selectOption('Courtside Demo');
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByLabel('Events').fill(events);
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await button(page, 'I have stored it').click();
  return secret;
}
