import type { Page } from '@playwright/test'
import { findAxeViolations } from './support/axe'
import { waitUntilIdle } from './support/navigation'
import { expect, test } from './support/plan-accounts-test'
import { planScreenStates } from './support/plan-states'
import { registrationScreenStates } from './support/registration-states'

// Colours in a transition would fail the contrast check.
test.use({ serverName: 'hosted-accessibility', contextOptions: { reducedMotion: 'reduce' } })

const appearances = [
  ['light', 1440],
  ['dark', 390],
] as const
const widths = [360, 390, 768, 1024, 1440, 2560]

const horizontalOverflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The axe violations of an open screen in both colour schemes, and its layout errors in all window widths. */
const findProblems = async (page: Page): Promise<string[]> => {
  const problems: string[] = []
  for (const [colorScheme, width] of appearances) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await waitUntilIdle(page)
    for (const violation of await findAxeViolations(page))
      problems.push(`${colorScheme}, ${width} px wide: ${violation}`)
  }
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const overflow = await horizontalOverflow(page)
    if (overflow > 0) problems.push(`${width} px wide: scrolls horizontally by ${overflow}`)
  }
  return problems
}

for (const [name, open] of Object.entries(registrationScreenStates))
  test(`${name} has no axe violations and fits each window width`, async ({ page, hosted }) => {
    await open(page, hosted)
    expect(await findProblems(page)).toEqual([])
  })

for (const [name, open] of Object.entries(planScreenStates))
  test(`${name} has no axe violations and fits each window width`, async ({ page, hosted, accounts, provider }) => {
    await open(page, { hosted, accounts, provider })
    expect(await findProblems(page)).toEqual([])
  })
