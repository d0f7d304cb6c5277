<?xml version="1.0" encoding="UTF-8"?>
<!-- A site map as a page of XHTML: nested lists that open and close without a script.
     xsltproc site-map-xhtml.xsl map.xml > map.xhtml      (a map deeper than 255 layers: xsltproc with its option huge)
     The words people read are the parameters. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:m="urn:groma:site-map:1"
                xmlns="http://www.w3.org/1999/xhtml" exclude-result-prefixes="m">
  <xsl:output method="xml" encoding="UTF-8" doctype-system="about:legacy-compat" indent="no"/>

  <xsl:param name="lang" select="'en'"/>
  <xsl:param name="word-pages" select="'pages'"/>
  <xsl:param name="word-depth" select="'to depth'"/>
  <xsl:param name="word-surveyed" select="'surveyed'"/>
  <xsl:param name="word-drawn" select="'drawn'"/>
  <xsl:param name="word-unreached" select="'pages cannot be reached from the root and are not on this map'"/>
  <xsl:param name="word-folded" select="'pages below are not shown'"/>
  <xsl:param name="word-below" select="'at and below'"/>
  <xsl:param name="word-rank" select="'rank'"/>
  <xsl:param name="word-links-to" select="'What a page links to, by bytes'"/>
  <!-- Layers that are open when the page is opened. -->
  <xsl:param name="open-layers" select="2"/>
  <!-- Layers that are indented; deeper ones stand below each other with their number. -->
  <xsl:param name="indented-layers" select="14"/>

  <xsl:variable name="all" select="number(/m:site-map/@pages)"/>

  <xsl:template match="/m:site-map">
    <html lang="{$lang}" xml:lang="{$lang}">
      <head>
        <meta charset="UTF-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="generator" content="{@generator}"/>
        <title><xsl:value-of select="m:site"/></title>
        <style>
          :root { color-scheme: light dark; --ink: #1b1f24; --soft: #667080; --line: #d9dee5; --bar: #4472c4; --paper: #fff;
            --page: #4472c4; --image: #2e9e6b; --media: #c0504d; --document: #d99a2b; --archive: #7a5ba8; --code: #3a9fb5;
            --other: #98a1ad; }
          @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #98a3b3; --line: #333b47; --paper: #14181d; --bar: #7aa2e8; } }
          body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 70rem;
            margin: 2rem auto; padding: 0 1rem; }
          h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
          p { margin: .25rem 0; color: var(--soft); overflow-wrap: anywhere; }
          p.note { color: var(--ink); border-left: 3px solid var(--bar); padding-left: .6rem; }
          ul { list-style: none; margin: 0; padding: 0 0 0 1.1rem; border-left: 1px solid var(--line); }
          ul.map { padding: 0; border: 0; margin-top: 1.25rem; }
          ul.deep { padding-left: 0; border: 0; }
          summary { cursor: pointer; }
          summary, div.leaf { padding: .15rem 0 .15rem .3rem; }
          div.leaf { padding-left: 1.3rem; }
          summary::marker { color: var(--soft); }
          a { color: inherit; text-decoration: none; }
          a:hover { text-decoration: underline; }
          .name { font-weight: 500; unicode-bidi: isolate; overflow-wrap: anywhere; }
          summary .name { font-weight: 600; }
          .facts { color: var(--soft); font-size: .8rem; margin-left: .5rem; }
          .facts span { margin-right: .8em; unicode-bidi: isolate; display: inline-block; }
          .facts b { color: #c0504d; font-weight: 600; white-space: nowrap; }
          .share { display: inline-block; width: 5rem; height: .45rem; margin-left: .6rem; background: var(--line); border-radius: 2px; }
          .share i { display: block; height: 100%; background: var(--bar); border-radius: 2px; min-width: 2px; }
          .parts { display: inline-flex; width: 5rem; height: .6rem; margin-left: .6rem; border-radius: 2px; overflow: hidden; vertical-align: baseline; }
          .parts i { display: block; min-width: 2px; }
          .legend span { margin-right: 1rem; white-space: nowrap; }
          .legend i { display: inline-block; width: .7rem; height: .7rem; border-radius: 2px; margin-right: .3rem; }
          .page { background: var(--page); } .image { background: var(--image); } .media { background: var(--media); }
          .document { background: var(--document); } .archive { background: var(--archive); } .code { background: var(--code); }
          .other { background: var(--other); }
          @media print { body { max-width: none; margin: 0; font-size: 10pt; } li { break-inside: auto; } }
        </style>
      </head>
      <body>
        <h1><xsl:value-of select="m:site"/></h1>
        <p><xsl:value-of select="m:root"/></p>
        <p>
          <xsl:value-of select="concat(format-number(@pages, '#,##0'), ' ', $word-pages, ' ', $word-depth, ' ', format-number(@layers - 1, '#,##0'))"/>
          <xsl:if test="@surveyed"><xsl:value-of select="concat(', ', $word-surveyed, ' ', substring-before(@surveyed, 'T'))"/></xsl:if>
          <xsl:if test="@drawn"><xsl:value-of select="concat(', ', $word-drawn, ' ', substring-before(@drawn, 'T'))"/></xsl:if>
        </p>
        <xsl:if test="@unreached &gt; 0">
          <p><xsl:value-of select="concat(format-number(@unreached, '#,##0'), ' ', $word-unreached)"/></p>
        </xsl:if>
        <xsl:for-each select="m:note"><p class="note"><xsl:value-of select="."/></p></xsl:for-each>
        <xsl:if test="descendant::m:parts">
          <p class="legend">
            <xsl:value-of select="concat($word-links-to, ': ')"/>
            <span><i class="page"/>page</span><span><i class="image"/>image</span><span><i class="media"/>media</span>
            <span><i class="document"/>document</span><span><i class="archive"/>archive</span>
            <span><i class="code"/>code</span><span><i class="other"/>other</span>
          </p>
        </xsl:if>
        <ul class="map"><xsl:apply-templates select="m:page"><xsl:with-param name="layer" select="0"/></xsl:apply-templates></ul>
      </body>
    </html>
  </xsl:template>

  <!-- One template a layer: a processor may go 3,000 deep. -->
  <xsl:template match="m:page">
    <xsl:param name="layer"/>
    <li>
      <xsl:choose>
        <xsl:when test="m:page">
          <details>
            <xsl:if test="$layer &lt; $open-layers"><xsl:attribute name="open">open</xsl:attribute></xsl:if>
            <summary><xsl:call-template name="line"><xsl:with-param name="layer" select="$layer"/></xsl:call-template></summary>
            <ul>
              <xsl:if test="$layer &gt;= $indented-layers"><xsl:attribute name="class">deep</xsl:attribute></xsl:if>
              <xsl:apply-templates select="m:page"><xsl:with-param name="layer" select="$layer + 1"/></xsl:apply-templates>
            </ul>
          </details>
        </xsl:when>
        <xsl:otherwise>
          <div class="leaf"><xsl:call-template name="line"><xsl:with-param name="layer" select="$layer"/></xsl:call-template></div>
        </xsl:otherwise>
      </xsl:choose>
    </li>
    <xsl:text>&#10;</xsl:text>
  </xsl:template>

  <xsl:template name="line">
    <xsl:param name="layer"/>
    <xsl:variable name="title" select="normalize-space(substring(m:title, 1, 500))"/>
    <xsl:if test="$layer &gt; $indented-layers"><span class="facts"><xsl:value-of select="$layer"/><xsl:text> </xsl:text></span></xsl:if>
    <xsl:choose>
      <!-- Only the web: an address of another scheme is a text. -->
      <xsl:when test="starts-with(@url, 'http://') or starts-with(@url, 'https://')">
        <a class="name" href="{@url}" rel="noopener noreferrer">
          <xsl:choose><xsl:when test="$title"><xsl:value-of select="$title"/></xsl:when>
            <xsl:otherwise><xsl:value-of select="substring(@url, 1, 500)"/></xsl:otherwise></xsl:choose>
        </a>
      </xsl:when>
      <xsl:otherwise>
        <span class="name"><xsl:value-of select="$title"/><xsl:text> </xsl:text><xsl:value-of select="substring(@url, 1, 500)"/></span>
      </xsl:otherwise>
    </xsl:choose>
    <xsl:if test="@pages &gt; 1">
      <span class="share" title="{format-number(@pages, '#,##0')} {$word-pages} {$word-below}"><i style="width: {round(1000 * @pages div $all) div 10}%"/></span>
      <span class="facts"><xsl:value-of select="format-number(@pages, '#,##0')"/></span>
    </xsl:if>
    <xsl:apply-templates select="m:parts"/>
    <span class="facts">
      <xsl:if test="@state and @state != 'fetched'"><span><xsl:value-of select="@state"/></span></xsl:if>
      <xsl:if test="@reason and @reason != 'fetched'"><span><xsl:value-of select="@reason"/></span></xsl:if>
      <xsl:if test="@rank"><span><xsl:value-of select="concat($word-rank, ' ', format-number(@rank, '0.00'))"/></span></xsl:if>
      <xsl:if test="@type and @type != 'text/html'"><span><xsl:value-of select="substring(@type, 1, 60)"/></span></xsl:if>
      <xsl:if test="@size"><span><xsl:call-template name="size"><xsl:with-param name="bytes" select="number(@size)"/></xsl:call-template></span></xsl:if>
      <xsl:for-each select="@depth | @status | @language | @words | @modified | @changed | @fetched | @in | @out | @cluster | @database">
        <span><xsl:value-of select="concat(name(), ' ', substring(., 1, 60))"/></span>
      </xsl:for-each>
      <xsl:if test="@broken &gt; 0"><b><xsl:value-of select="concat(@broken, ' broken')"/></b></xsl:if>
      <xsl:if test="@folded"><span><xsl:value-of select="concat('… ', format-number(@folded, '#,##0'), ' ', $word-folded)"/></span></xsl:if>
    </span>
  </xsl:template>

  <xsl:template match="m:parts">
    <xsl:variable name="sum" select="sum(m:part/@bytes)"/>
    <xsl:if test="$sum &gt; 0">
      <span class="parts">
        <xsl:attribute name="title">
          <xsl:for-each select="m:part">
            <xsl:value-of select="concat(@files, ' ', @sort, ' ')"/>
            <xsl:call-template name="size"><xsl:with-param name="bytes" select="number(@bytes)"/></xsl:call-template>
            <xsl:if test="position() != last()">, </xsl:if>
          </xsl:for-each>
        </xsl:attribute>
        <xsl:for-each select="m:part[@bytes &gt; 0]"><i class="{@sort}" style="flex: {@bytes}"/></xsl:for-each>
      </span>
    </xsl:if>
  </xsl:template>

  <xsl:template name="size">
    <xsl:param name="bytes"/>
    <xsl:choose>
      <xsl:when test="$bytes &lt; 1000"><xsl:value-of select="$bytes"/> B</xsl:when>
      <xsl:when test="$bytes &lt; 1000000"><xsl:value-of select="format-number($bytes div 1000, '0.0')"/> kB</xsl:when>
      <xsl:when test="$bytes &lt; 1000000000"><xsl:value-of select="format-number($bytes div 1000000, '0.0')"/> MB</xsl:when>
      <xsl:otherwise><xsl:value-of select="format-number($bytes div 1000000000, '0.0')"/> GB</xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
