import { findAxeViolations } from './support/axe'
import { expect, test } from './support/test'

test('the server serves the documentation, which links to the API reference', async ({ page, server }) => {
  const failedUrls: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) failedUrls.push(response.url())
  })
  await page.goto(`${server.url}/docs`)
  await expect(page.getByRole('heading', { name: 'Documentation', level: 1 })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Configuration' }).click()
  await expect(page.getByRole('heading', { name: 'Configuration', level: 1 })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'DATA_DIR', exact: true })).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Configuration' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await page.getByRole('navigation').getByRole('link', { name: 'API reference' }).click()
  await expect(page).toHaveURL(`${server.url}/docs/api/`)
  await expect(page.getByRole('heading', { name: /Trunkline API/ })).toBeVisible()
  expect(failedUrls).toEqual([])
})

test('the server compresses scripts, styles and JSON', async ({ page, server }) => {
  for (const path of ['docs/api/static/swagger-ui-bundle.js', 'docs/api/static/swagger-ui.css', 'openapi.json']) {
    const response = await page.request.get(`${server.url}/${path}`)
    expect(response.headers()['content-encoding'], path).toBe('br')
  }
})

for (const width of [390, 1440])
  test(`documentation pages have no axe violations and fit the window, ${width} px wide`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['', 'configuration.html', 'glossary.html', 'decisions/index.html']) {
      await page.goto(`${server.url}/docs/${path}`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await findAxeViolations(page)).toEqual([])
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
  })
