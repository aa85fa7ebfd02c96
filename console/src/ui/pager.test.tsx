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
  it('says how many records there are', () => {
    render(<Pages total={148} />)
    screen.getByText('Total: 148 records')
    cleanup()
    render(<Pages total={1} />)
    screen.getByText('Total: 1 record')
  })

  it('goes page by page, and no further than the ends', async () => {
    render(<Pages />)
    expect(screen.getByRole('button', { name: 'Previous page' }).hasAttribute('disabled')).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(current()).toBe('2')
    await userEvent.click(screen.getByRole('button', { name: 'Page 13' }))
    expect(current()).toBe('13')
    expect(screen.getByRole('button', { name: 'Next page' }).hasAttribute('disabled')).toBe(true)
  })

  it('jumps by three where pages are left out', async () => {
    render(<Pages start={6} />)
    await userEvent.click(screen.getByRole('button', { name: '3 pages on' }))
    expect(current()).toBe('9')
    await userEvent.click(screen.getByRole('button', { name: '3 pages back' }))
    expect(current()).toBe('6')
  })
})
