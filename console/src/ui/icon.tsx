import type { LucideProps } from 'lucide-react'
import { createElement } from 'react'
import css from './icon.module.css'

/** Creates the component of an icon from its shapes, in a square of 24. The build uses it for the icons of lucide-react. */
export const createIcon = (shapes: [tag: string, attributes: Record<string, string>][]) => {
  const children = shapes.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))
  return ({ size = 24, strokeWidth = 2, className, ...attributes }: Omit<LucideProps, 'ref'>) => (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      strokeWidth={strokeWidth}
      aria-hidden={attributes['aria-label'] === undefined || undefined}
      {...attributes}
      className={className ? `${css.icon} ${className}` : css.icon}
    >
      {children}
    </svg>
  )
}
