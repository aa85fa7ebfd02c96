import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import { median } from './statistics'

/** A server with a build of the console, and a user who can sign in. */
export interface ConsoleBuild {
  base: string
  credentials: { name: string; password: string }
}

/** The limits of the medians, in milliseconds. `null`: reported without a limit. */
const limitsMs = {
  'sign-in page, largest contentful paint': 150,
  'sign-in page, form usable': null,
  'sign-in page on a slow line and CPU, largest contentful paint': 1100,
  'sign-in page on a slow line and CPU, form usable': null,
  'Enter on the sign-in page to rows, without the time of the login request': 150,
  'menu item to rows of phone numbers, first visit': 110,
  'menu item to rows of applications, first visit': 110,
  'menu item to rows of phone numbers, second visit': 50,
  'menu item to rows of applications, second visit': 50,
  'last key of a filter to rows': 250,
} as const

export type InteractionName = keyof typeof limitsMs

/** The median time of an interaction, and that of the same interaction with the build to compare with. */
export interface InteractionMeasurement {
  name: string
  ms: number
  baselineMs: number | undefined
  limitMs: number | null
}

/** A slow mobile connection and processor. */
const slowLine = { latencyMs: 150, bytesPerSecond: 200_000, cpuFactor: 4 }

/** Runs in the page before its own scripts: records the time of the last input, and waits for paints. */
const installTimers = () => {
  let lastInputAt = 0
  for (const type of ['click', 'keydown'])
    addEventListener(type, ({ timeStamp }) => (lastInputAt = timeStamp), { capture: true })
  const afterPaint = () =>
    new Promise<number>((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(null)
      }),
    )
  /** Resolves with the time of the first paint for which the condition holds. */
  const waitForPaint = (isReady: () => boolean) =>
    new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isReady()) return
        observer.disconnect()
        void afterPaint().then(resolve)
      })
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    })
  Object.assign(window, {
    bench: {
      waitForPaint,
      getLastInputAt: () => lastInputAt,
      // a slow page may render its form before the benchmark can ask
      formUsableAt: waitForPaint(() => document.querySelector('input[name=username]:not(:disabled)') !== null),
    },
  })
}

interface PageTimers {
  waitForPaint: (isReady: () => boolean) => Promise<number>
  getLastInputAt: () => number
  formUsableAt: Promise<number>
}

/** Performs an input; returns the milliseconds from its last key or click until the rows of a list are painted. */
const measureRows = async (
  page: Page,
  { area, digits = '' }: { area: string; digits?: string },
  performInput: () => Promise<unknown>,
): Promise<number> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${page.url()} did not show rows of ${area} within 30 seconds`)), 30_000)
  })
  const paintMs = page.evaluate(
    async (expected) => {
      const { waitForPaint, getLastInputAt } = Reflect.get(window, 'bench') as PageTimers
      const paintedAt = await waitForPaint(() => {
        const rows = [...document.querySelectorAll('#main :is(tr, [role=row])')].filter((row) =>
          row.querySelector(`a[href^="/internal/${expected.area}/"]`),
        )
        const hasRows = rows.length > 9 || (expected.digits !== '' && rows.length > 0)
        return hasRows && rows.every((row) => row.textContent.replace(/\D/g, '').includes(expected.digits))
      })
      return paintedAt - getLastInputAt()
    },
    { area, digits },
  )
  // the page never answers if it does not show the rows, or if the benchmark closes it
  paintMs.catch(() => {})
  try {
    await performInput()
    return await Promise.race([paintMs, timeout])
  } finally {
    clearTimeout(timer)
  }
}

const emulateSlowLine = async (session: CDPSession) => {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slowLine.latencyMs,
    downloadThroughput: slowLine.bytesPerSecond,
    uploadThroughput: slowLine.bytesPerSecond,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowLine.cpuFactor })
}

const readLargestPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        }),
      ),
  )

const readFormUsableAt = (page: Page): Promise<number> =>
  page.evaluate(() => (Reflect.get(window, 'bench') as PageTimers).formUsableAt)

const openContext = async (browser: Browser): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  // the loader that runs this benchmark wraps functions in calls of this helper, which pages do not have
  await context.addInitScript('globalThis.__name = (value) => value')
  await context.addInitScript(installTimers)
  return context
}

const measureSlowSignIn = async (browser: Browser, { base }: ConsoleBuild) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  await emulateSlowLine(await context.newCDPSession(page))
  await page.goto(base, { waitUntil: 'networkidle' })
  const times = {
    'sign-in page on a slow line and CPU, largest contentful paint': await readLargestPaint(page),
    'sign-in page on a slow line and CPU, form usable': await readFormUsableAt(page),
  }
  await context.close()
  return times
}

/** Signs in with an empty cache, visits two lists twice, and filters one. */
const measureVisit = async (browser: Browser, { base, credentials }: ConsoleBuild) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(base, { waitUntil: 'networkidle' })
  const largestPaint = await readLargestPaint(page)
  const formUsableAt = await readFormUsableAt(page)
  const enterToRows = await measureRows(page, { area: 'accounts' }, async () => {
    await page.getByRole('textbox', { name: 'Username' }).pressSequentially(credentials.name, { delay: 60 })
    await page.getByLabel('Password', { exact: true }).focus()
    await page.keyboard.type(credentials.password, { delay: 60 })
    await page.keyboard.press('Enter')
  })
  const loginMs = await page.evaluate((url) => performance.getEntriesByName(url)[0]?.duration ?? 0, `${base}/v1/login`)
  await page.waitForTimeout(1500)
  const openList = async (label: string, area: string) => {
    const ms = await measureRows(page, { area }, () => page.getByRole('link', { name: label, exact: true }).click())
    await page.waitForTimeout(700)
    return ms
  }
  const times = {
    'sign-in page, largest contentful paint': largestPaint,
    'sign-in page, form usable': formUsableAt,
    'Enter on the sign-in page to rows, without the time of the login request': enterToRows - loginMs,
    'menu item to rows of phone numbers, first visit': await openList('Phone numbers', 'phone-numbers'),
    'menu item to rows of applications, first visit': await openList('Applications', 'applications'),
    'menu item to rows of phone numbers, second visit': await openList('Phone numbers', 'phone-numbers'),
    'menu item to rows of applications, second visit': await openList('Applications', 'applications'),
  }
  await openList('Phone numbers', 'phone-numbers')
  await page.getByRole('searchbox').focus()
  const filter = await measureRows(page, { area: 'phone-numbers', digits: '7777' }, () =>
    page.keyboard.type('7777', { delay: 40 }),
  )
  await context.close()
  return { ...times, 'last key of a filter to rows': filter }
}

/**
 * Measures how long users wait: medians over several visits, each with an empty cache. Visits of the builds alternate,
 * so that other load on the machine affects both equally. The first visit fills the caches of the server.
 */
export const measureInteractions = async (
  browser: Browser,
  builds: { current: ConsoleBuild; baseline?: ConsoleBuild },
  visits = 7,
): Promise<InteractionMeasurement[]> => {
  const names = Object.keys(limitsMs) as InteractionName[]
  const createTimes = () => Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<string, number[]>
  const times = { current: createTimes(), baseline: createTimes() }
  for (let visit = 0; visit <= visits; visit += 1)
    for (const build of ['current', 'baseline'] as const) {
      const consoleBuild = builds[build]
      if (!consoleBuild) continue
      const measured = {
        ...(await measureSlowSignIn(browser, consoleBuild)),
        ...(await measureVisit(browser, consoleBuild)),
      }
      if (visit > 0) for (const name of names) times[build][name]?.push(measured[name])
    }
  return names.map((name) => ({
    name,
    ms: median(times.current[name] ?? []),
    baselineMs: builds.baseline && median(times.baseline[name] ?? []),
    limitMs: limitsMs[name],
  }))
}
