import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Pager } from './pager'

afterEach(cleanup)

const Pages = ({ total = 312, start = 1 }: { total?: number; start?: number }) => {
  const [page, setPage] = useState(start)
  const [size, setSize] = useState(25)
  return <Pager total={total} page={page} pageSize={size} onPage={setPage} onPageSize={setSize} />
}

const current = () => screen.getByRole('button', { current: 'page' }).textContent

describe('Pager', () => {
  it('shows the number of records', () => {
    render(<Pages total={148} />)
    screen.getByText('Total: 148 records')
    cleanup()
    render(<Pages total={1} />)
    screen.getByText('Total: 1 record')
  })

  it('goes page by page, and stops at the ends', async () => {
    render(<Pages />)
    expect(screen.getByRole('button', { name: 'Previous page' }).hasAttribute('disabled')).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(current()).toBe('2')
    await userEvent.click(screen.getByRole('button', { name: 'Page 13' }))
    expect(current()).toBe('13')
    expect(screen.getByRole('button', { name: 'Next page' }).hasAttribute('disabled')).toBe(true)
  })

  it('marks every gap between the pages that a narrow screen shows', () => {
    for (let pages = 1; pages <= 12; pages += 1)
      for (let page = 1; page <= pages; page += 1) {
        render(<Pages total={pages * 25} start={page} />)
        const buttons = [...screen.getByRole('navigation', { name: 'Pagination' }).children].slice(1, -1)
        // pages without data-near are hidden there, and data-gap draws a gap before a page
        const shown = buttons.flatMap((button) => {
          if (button.textContent === '…') return '…'
          if (!button.hasAttribute('data-near')) return []
          return [...(button.hasAttribute('data-gap') ? ['…'] : []), Number(button.textContent)]
        })
        const row = [0, ...shown, pages + 1]
        const isUnmarked = row.some((mark, at) => {
          const next = row[at + 1]
          return typeof mark === 'number' && typeof next === 'number' && next !== mark + 1
        })
        expect(isUnmarked, `page ${page} of ${pages}: ${shown.join(' ')}`).toBe(false)
        expect(row.some((mark, at) => mark === '…' && row[at + 1] === '…')).toBe(false)
        cleanup()
      }
  })

  it('jumps by three where pages are left out', async () => {
    render(<Pages start={6} />)
    await userEvent.click(screen.getByRole('button', { name: '3 pages forward' }))
    expect(current()).toBe('9')
    await userEvent.click(screen.getByRole('button', { name: '3 pages back' }))
    expect(current()).toBe('6')
  })
})
