import { createElement, type SVGProps } from "react";

type Shape = readonly [
  tag: "path" | "circle" | "rect" | "line" | "polyline",
  attributes: Readonly<Record<string, string>>,
];

/** Makes an icon in the colour of the text around it. */
export function makeIcon(shapes: readonly Shape[]) {
  const content = shapes.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }));
  return function Icon({ size = 24, ...props }: SVGProps<SVGSVGElement> & { size?: number }) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
        {...props}
      >
        {content}
      </svg>
    );
  };
}
